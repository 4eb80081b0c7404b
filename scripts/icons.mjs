// Writes the lines of the icons of landing pages to dist/, from Lucide's package, which a product then doesn't need.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Returns the files, which have no source in this repository. */
export async function writeIcons(folder) {
  const { ICON_NAMES } = await import(pathToFileURL(join(folder, 'icons.js')))
  const main = createRequire(import.meta.url).resolve('lucide-react')
  const lucide = dirname(dirname(dirname(main)))
  const drawings = await Promise.all(
    ICON_NAMES.map(async name => [name, (await nodesOf(lucide, name)).map(toPath).join('')]),
  )
  const [file, license] = ['icon-drawings.json', 'lucide.LICENSE'].map(name => join(folder, name))
  writeFileSync(file, JSON.stringify(Object.fromEntries(drawings)))
  copyFileSync(join(lucide, 'LICENSE'), license)
  return [file, license]
}

async function nodesOf(lucide, name) {
  const file = join(lucide, 'dist/esm/icons', `${name}.mjs`)
  // A former name, which the package keeps.
  const [, present] = /export \{ default \} from '\.\/(.+)\.mjs'/.exec(readFileSync(file, 'utf8')) ?? []
  if (present) return nodesOf(lucide, present)
  const { __iconData: data } = await import(pathToFileURL(file))
  return data.node
}

/** A shape of SVG as the path that draws the same line. */
function toPath([shape, given]) {
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
