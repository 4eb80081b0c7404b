// Writes the lines of the icons of landing pages to dist/, from Lucide's package, which a product then doesn't need.
import { copyFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)

/** Returns the files, which have no source in this repository. */
export async function writeIcons(folder) {
  const { ICON_NAMES } = await import(pathToFileURL(join(folder, 'icons.js')))
  const drawings = ICON_NAMES.map(name => [name, drawingOf(name)])
  const [file, license] = ['icon-drawings.json', 'lucide.LICENSE'].map(name => join(folder, name))
  writeFileSync(file, JSON.stringify(Object.fromEntries(drawings)))
  copyFileSync(new URL('../node_modules/lucide-react/LICENSE', import.meta.url), license)
  return [file, license]
}

/** The shapes that the component of the icon renders, as one path. */
function drawingOf(name) {
  const component = name.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase())
  const icon = require('lucide-react')[component]
  if (!icon) throw new Error(`Lucide has no icon ${name}`)
  const markup = require('react-dom/server').renderToStaticMarkup(require('react').createElement(icon))
  const shapes = [...markup.matchAll(/<(?!svg)(\w+) ([^>]*)>/g)]
  return shapes
    .map(([, shape, attributes]) =>
      toPath(shape, Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, ...pair]) => pair))),
    )
    .join('')
}

/** A shape of SVG as the path that draws the same line. */
function toPath(shape, given) {
  const number = key => Number(given[key] ?? 0)
  switch (shape) {
    case 'path':
      // A first `m` is relative to the end of the shape before it.
      return given.d.replace(/^m/, 'M0 0m')
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'))
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), number('rx'), number('ry'))
    case 'line':
      return `M${given.x1} ${given.y1}L${given.x2} ${given.y2}`
    case 'polyline':
      return `M${given.points}`
    case 'polygon':
      return `M${given.points}z`
    case 'rect': {
      const rx = Number(given.rx ?? given.ry ?? 0)
      const ry = Number(given.ry ?? rx)
      const [width, height] = [number('width') - 2 * rx, number('height') - 2 * ry]
      const corner = (x, y) => `a${rx} ${ry} 0 0 1 ${x} ${y}`
      const start = `M${number('x') + rx} ${number('y')}`
      return `${start}h${width}${corner(rx, ry)}v${height}${corner(-rx, ry)}h${-width}${corner(-rx, -ry)}v${-height}${corner(rx, -ry)}z`
    }
    default:
      throw new Error(`Lucide has a shape that scripts/icons.mjs doesn't know: ${shape}`)
  }
}

const ellipse = (x, y, rx, ry) => `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`
