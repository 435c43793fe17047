package smart

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/internal/statefile"
)

// ReadConfig returns the text of config.json, or nil if there is none.
func ReadConfig(c Scene) ([]byte, error) {
	var file statefile.File
	dir, err := statefile.OpenDirWithin(c.dirPath(), c.Root)
	if err == nil {
		defer dir.Close()
		file, err = dir.Read(ConfigName)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ConfigName, err)
	}
	return file.Data, nil
}

// ChangeConfig writes values into config.json; with reset it writes the built-in ones. A
// file that is not a JSON object is never overwritten (R3-4).
func ChangeConfig(c Scene, values map[config.Key]any, reset bool) error {
	err := c.locked(func(dir *statefile.Dir) error {
		data, err := ReadConfig(c)
		if err != nil {
			return err
		}
		if reset {
			values = map[config.Key]any{}
			for _, k := range config.Keys() {
				values[k] = config.Defaults().Get(k)
			}
		}
		text, err := config.Write(data, values)
		if err != nil {
			return err
		}
		return dir.Create(ConfigName, text, statefile.Durable)
	})
	if err != nil {
		return fmt.Errorf("save %s/%s: %w", DirName, ConfigName, err)
	}
	return nil
}
