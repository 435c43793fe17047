package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"time"
)

// file is one file of an archive, or of the release.
type file struct {
	name       string
	data       []byte
	executable bool
}

func byName(a, b file) int { return strings.Compare(a.name, b.name) }

func (f file) mode() int64 {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// stamp is the time of every file. It is fixed, because the time of the build says
// nothing about what was built.
func stamp() time.Time { return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) }

func tarred(base string, files []file) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		header := &tar.Header{Name: base + "/" + f.name, Mode: f.mode(), Size: int64(len(f.data)), ModTime: stamp(), Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return gzipped(out.Bytes())
}

func gzipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

func zipped(base string, files []file) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: base + "/" + f.name, Method: zip.Deflate, Modified: stamp()}
		part, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
