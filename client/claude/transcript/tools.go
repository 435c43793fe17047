package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Offer says whether the client offers a tool to the model.
type Offer int

// The values of an Offer.
const (
	// OfferUnknown: the transcript does not say which tools the model has. Clients before
	// 2.1.329 never say it.
	OfferUnknown Offer = iota
	Offered
	NotOffered
)

// maxHead is how much of the beginning of a transcript Offers reads. The client writes the shape of its requests at the
// first request (observed with 2.1.330: at 70 KiB).
const maxHead = 1 << 20

// Offers reports whether one of the tools is offered to the model of the main session, as the first requests show it:
// among their tools, or among those that the model may load later. If the user chooses another model later, its tools
// may differ.
func Offers(path string, tools ...string) Offer {
	file, _, fault := open(path)
	if fault != "" {
		return OfferUnknown
	}
	defer file.Close()
	offer := OfferUnknown
	for all := bufio.NewReaderSize(io.LimitReader(file, maxHead), 64<<10); ; {
		line, err := all.ReadBytes('\n')
		if names := offered(line); slices.ContainsFunc(names, func(name string) bool { return slices.Contains(tools, name) }) {
			return Offered
		} else if len(names) > 0 && bytes.Contains(line, []byte(shapeType)) {
			offer = NotOffered
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return OfferUnknown
			}
			return offer
		}
	}
}

const (
	shapeType    = `"api-request-shape"`
	deferredType = `"deferred_tools_delta"`
)

// offered returns the names of the tools that a line says the model has.
func offered(line []byte) (names []string) {
	// In quoted text these marks contain backslashes.
	if !bytes.Contains(line, []byte(shapeType)) && !bytes.Contains(line, []byte(deferredType)) {
		return nil
	}
	var entry struct {
		Shape struct {
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
		} `json:"shape"`
		Attachment struct {
			Added []string `json:"addedNames"`
		} `json:"attachment"`
	}
	if json.Unmarshal(trim(line), &entry, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	for _, tool := range entry.Shape.Tools {
		names = append(names, tool.Name)
	}
	return append(names, entry.Attachment.Added...)
}
