/** Static files of a theme, under names that hold a hash of their bytes: they may be kept for ever. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, posix, relative, sep } from 'node:path'
import type { RequestHandler } from 'express'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

interface Asset {
  readonly path: string
  readonly type: string
  readonly body: Buffer
}
export interface Assets {
  /** `larder.css` → `/assets/larder.3f9c….css`. Throws where the theme has no such file. */
  path(name: string): string
  readonly serve: RequestHandler
}

/**
 * Reads every file under `folder`, at once: a theme's files are few and small.
 * @param before text that goes in front of a file of this name.
 */
export function loadAssets(folder: string, before: Readonly<Record<string, string>>): Assets {
  const byName = new Map<string, Asset>()
  const files = filesUnder(folder)
  const load = (name: string, open: readonly string[] = []): Asset | undefined => {
    const found = byName.get(name)
    const type = TYPES[extname(name)]
    if (found || !type || !files.includes(name)) return found
    if (open.includes(name)) throw new Error(`assets import each other in a circle: ${[...open, name].join(' → ')}`)
    const text = Buffer.concat([Buffer.from(before[name] ?? ''), readFileSync(join(folder, name))])
    const body = extname(name) === '.js' ? linked(text, name, other => load(other, [...open, name])?.path) : text
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
    const stem = name.slice(0, -extname(name).length)
    const asset = { path: `/assets/${stem}.${hash}${extname(name)}`, type, body }
    byName.set(name, asset)
    return asset
  }
  for (const name of files) load(name)
  const byPath = new Map([...byName.values()].map(asset => [asset.path, asset]))
  return {
    path(name) {
      const asset = byName.get(name)
      if (!asset) throw new Error(`the theme has no assets/${name}: it has ${[...byName.keys()].join(', ') || 'none'}`)
      return asset.path
    },
    serve(request, response, next) {
      const asset = byPath.get(request.baseUrl + request.path)
      if (!asset || (request.method !== 'GET' && request.method !== 'HEAD')) return next()
      response.setHeader('cache-control', 'public, max-age=31536000, immutable')
      response.setHeader('content-type', asset.type)
      response.setHeader('content-length', asset.body.length)
      response.setHeader('x-content-type-options', 'nosniff')
      response.end(request.method === 'HEAD' ? undefined : asset.body)
    },
  }
}

const IMPORT = /^((?:import|export)\b[^'"\n]*['"])(\.{1,2}\/[^'"\n]+)(['"])/gm

/** A script imports another by its name: what goes out names the address, which holds a hash. */
function linked(text: Buffer, name: string, pathOf: (name: string) => string | undefined): Buffer {
  const named = text.toString('utf8').replace(IMPORT, (whole, before: string, target: string, after: string) => {
    const path = pathOf(posix.join(posix.dirname(name), target))
    return path === undefined ? whole : `${before}${path}${after}`
  })
  return Buffer.from(named)
}

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
