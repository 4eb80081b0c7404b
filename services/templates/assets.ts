/** Static files of a theme, served at paths that contain a content hash, so that clients can cache them forever. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, posix, relative, sep } from 'node:path'

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
  readonly bytes: Buffer
}
export interface Assets {
  /** `larder.css` → `/assets/larder.3f9c….css`. Throws if the theme has no such file. */
  path(name: string): string
  /** The file at such a path; undefined for an unknown one. */
  at(path: string): Asset | undefined
  /** The file with this name, if the theme has it. */
  named(name: string): Asset | undefined
}
/** Assets that are concatenated: name → a prefix and the files, in order. */
export type Composed = Readonly<Record<string, { readonly before: string; readonly files: readonly string[] }>>

/**
 * Reads every file under `folders` into memory: a theme has few and small files. The first folder takes precedence.
 * @param folders of the theme itself, then of those that it extends.
 */
export function loadAssets(folders: readonly string[], composed: Composed = {}): Assets {
  const files = new Map(folders.toReversed().flatMap(filesUnder))
  for (const [name, { files: parts }] of Object.entries(composed)) if (parts.length > 0) files.set(name, parts[0] ?? '')
  const byName = new Map<string, Asset>()
  const readBytes = (name: string, file: string): Buffer => {
    const { before, files: parts } = composed[name] ?? { before: '', files: [file] }
    return Buffer.concat([Buffer.from(before), ...parts.map(part => readFileSync(part))])
  }
  const load = (name: string, open: readonly string[] = []): Asset | undefined => {
    const found = byName.get(name)
    const type = TYPES[extname(name)]
    const file = files.get(name)
    if (found || !type || file === undefined) return found
    if (open.includes(name)) throw new Error(`assets import each other in a cycle: ${[...open, name].join(' → ')}`)
    const bytes = resolveReferences(readBytes(name, file), name, other => load(other, [...open, name])?.path)
    const asset = { path: hashed(name, bytes), type, bytes }
    byName.set(name, asset)
    return asset
  }
  for (const name of files.keys()) load(name)
  const byPath = new Map([...byName.values()].map(asset => [asset.path, asset]))
  return {
    path(name) {
      const asset = byName.get(name)
      if (!asset) throw new Error(`the theme has no assets/${name}: it has ${[...byName.keys()].join(', ') || 'none'}`)
      return asset.path
    },
    at: path => byPath.get(path),
    named: name => byName.get(name),
  }
}

function hashed(name: string, body: Buffer): string {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return `/assets/${name.slice(0, -extname(name).length)}.${hash}${extname(name)}`
}

/** References to other files, by file type: the text before the name, the name, and the text after it. */
const REFERENCES: Readonly<Record<string, RegExp>> = {
  '.js': /^((?:import|export)\b[^'"\n]*['"])(\.{1,2}\/[^'"\n]+)(['"])/gm,
  '.css': /(\burl\(\s*['"]?)(\.{1,2}\/[^'")\s]+)(['"]?\s*\))/g,
}

/** Replaces relative references of scripts and styles with paths that contain the hash. */
function resolveReferences(text: Buffer, name: string, pathOf: (name: string) => string | undefined): Buffer {
  const references = REFERENCES[extname(name)]
  if (!references) return text
  const resolved = text.toString('utf8').replace(references, (whole, before: string, target: string, after: string) => {
    const path = pathOf(posix.join(posix.dirname(name), target))
    return path === undefined ? whole : `${before}${path}${after}`
  })
  return Buffer.from(resolved)
}

/** Name, relative to the folder → file. */
function filesUnder(folder: string): [name: string, file: string][] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
    .map(file => [relative(folder, file).split(sep).join('/'), file])
}
