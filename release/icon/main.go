// Command icon draws the plugin's icon: a bridge with one arch.
//
//	go run ./release/icon
package main

import (
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
)

const (
	path = "plugin/.claude-plugin/icon.png"
	size = 512
	// sub is how many samples a pixel has in each direction.
	sub = 4
)

func main() {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			var r, g, b, a float64
			for i := range sub * sub {
				c := at(float64(x)+(float64(i%sub)+0.5)/sub, float64(y)+(float64(i/sub)+0.5)/sub)
				weight := float64(c.A) / 255
				r, g, b, a = r+float64(c.R)*weight, g+float64(c.G)*weight, b+float64(c.B)*weight, a+weight
			}
			if a > 0 {
				img.SetNRGBA(x, y, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(255 * a / sub / sub)})
			}
		}
	}
	file, err := os.Create(path)
	if err == nil {
		err = png.Encode(file, img)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// at is the colour of a point.
func at(x, y float64) color.NRGBA {
	ground, stone := color.NRGBA{24, 38, 66, 255}, color.NRGBA{244, 239, 228, 255}
	const margin, corner = 16, 96
	dx := math.Max(math.Abs(x-size/2)-(size/2-margin-corner), 0)
	dy := math.Max(math.Abs(y-size/2)-(size/2-margin-corner), 0)
	if math.Hypot(dx, dy) > corner {
		return color.NRGBA{}
	}
	const deck, thick, left, right, foot = 190, 36, 72, size - 72, 372
	arch := math.Hypot((x-size/2)/132, (y-foot)/126)
	switch {
	case y >= deck && y < deck+thick && x >= left && x < right:
		return stone
	case y >= deck+thick && y < foot && x >= left+28 && x < right-28 && arch > 1:
		return stone
	}
	return ground
}
