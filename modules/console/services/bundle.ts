/** The built application: files that Vite wrote to `public/`, with the compressed variants that the build wrote beside them. */

import { readFile } from 'node:fs/promises'
import type { Ports, Product } from '@larder-dev/larder/kernel'

export interface BundleFile {
  readonly type: string
  readonly bytes: Buffer
  readonly encoding: 'br' | 'gzip' | undefined
}
export interface DocumentWorkspace {
  readonly id: string
  readonly slug: string
  /** False for an operator who looks into it. */
  readonly isMember: boolean
}
/** Entries of Vite's manifest, by their path or name. */
type Manifest = Readonly<
  Record<
    string,
    { readonly file: string; readonly imports?: readonly string[]; readonly css?: readonly string[] } | undefined
  >
>
type Brand = ReturnType<Ports['theme']['brand']>

export interface DocumentValues {
  /** Nonce of the content security policy. */
  readonly nonce: string
  /** Name of the product. */
  readonly product: string
  readonly audience: Product['audience']
  /** Languages of the product, the default one first. */
  readonly locales: readonly string[]
  /** Languages of the console besides those in which it is written. */
  readonly languages: readonly string[]
  /** The areas that are shown; null for all. */
  readonly areas: readonly string[] | null
  readonly brand: Brand
  /** Groups of the navigation that come first. */
  readonly sidebar: readonly string[]
  /** Screens that modules add. */
  readonly screens: number
  /** Whose records are shown; undefined for a person without a workspace. */
  readonly workspace: DocumentWorkspace | undefined
  /** What is at the address. Its files then load with those of every screen. */
  readonly screen: 'home' | 'resource' | undefined
}
export interface Bundle {
  /** Address of the script with React and what screens of modules import from the console. */
  sharedScript(): Promise<string>
  document(values: DocumentValues): Promise<string>
  /** A file of `assets/`; undefined for an unknown one. @param accepted the Accept-Encoding header. */
  asset(name: string, accepted: string | undefined): Promise<BundleFile | undefined>
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}
const ENCODINGS = [
  ['br', 'br'],
  ['gzip', 'gz'],
] as const
/** Vite's names: a stem, a hash and an extension. Excludes paths that leave the folder. */
const NAME = /^[\w-]+(\.[\w-]+)*\.(css|js|svg|woff2)$/
const PLACEHOLDER =
  /<!--(?:HEAD|SCREEN)-->|__(NONCE|PRODUCT|LOGO|DARKLOGO|AUDIENCE|WORKSPACE|SLUG|MEMBER|AREAS|SIDEBAR|SCREENS|LOCALES|LANGUAGES)__/g
/** Names in the manifest. */
const DOCUMENT = 'index.html'
const FILES = { home: 'shell/Home.tsx', resource: 'shell/resource-routes.tsx' } as const
const NOT_BUILT = 'The console is not built: run `npm run build`'

/** @param folder `public/` of the build. */
export function createBundle(folder: URL): Bundle {
  const cached = new Map<string, Promise<Buffer | undefined>>()
  const read = (path: string): Promise<Buffer | undefined> => {
    const found = cached.get(path)
    if (found) return found
    const reading = readFile(new URL(path, folder)).catch(ignoreMissing)
    cached.set(path, reading)
    // Unknown names come from clients and must not fill the cache.
    reading.then(
      bytes => bytes ?? cached.delete(path),
      () => cached.delete(path),
    )
    return reading
  }
  const manifest = async (): Promise<Manifest> => {
    const bytes = await read('manifest.json')
    if (!bytes) throw new Error(NOT_BUILT)
    return JSON.parse(bytes.toString())
  }
  return {
    async sharedScript() {
      return `/console/${(await manifest())['shared.ts']?.file}`
    },
    async document({
      screen,
      nonce,
      product,
      audience,
      locales,
      languages,
      workspace,
      areas,
      sidebar,
      screens,
      brand,
    }) {
      const bytes = await read('index.html')
      if (!bytes) throw new Error(NOT_BUILT)
      const links = screen ? linksOf(await manifest(), FILES[screen]) : ''
      const values: Readonly<Record<string, string>> = {
        NONCE: nonce,
        PRODUCT: product,
        LOGO: brand.logo?.light ?? '',
        DARKLOGO: brand.logo?.dark ?? '',
        AUDIENCE: audience,
        WORKSPACE: workspace?.id ?? '',
        SLUG: workspace?.slug ?? '',
        MEMBER: String(workspace?.isMember ?? false),
        AREAS: areas?.join(' ') ?? '*',
        SIDEBAR: sidebar.join(' '),
        SCREENS: String(screens),
        LOCALES: locales.join(' '),
        LANGUAGES: languages.join(' '),
      }
      return bytes.toString().replace(PLACEHOLDER, (placeholder, name) => {
        if (name !== undefined) return escapeAttribute(values[name] ?? '')
        return placeholder === '<!--HEAD-->' ? headOf(brand, nonce) : links
      })
    },
    async asset(name, accepted = '') {
      const type = TYPES[NAME.exec(name)?.[2] ?? '']
      if (type === undefined) return undefined
      for (const [encoding, extension] of ENCODINGS) {
        if (!accepts(accepted, encoding)) continue
        const bytes = await read(`assets/${name}.${extension}`)
        if (bytes) return { type, bytes, encoding }
      }
      const bytes = await read(`assets/${name}`)
      return bytes && { type, bytes, encoding: undefined }
    },
  }
}

/** Loads the files of a screen beside those of the document, instead of after them. */
function linksOf(manifest: Manifest, screen: string): string {
  const reached = new Set<string>()
  const reach = (name: string): readonly string[] => {
    const { file, imports = [], css = [] } = manifest[name] ?? {}
    if (file === undefined || reached.has(name)) return []
    reached.add(name)
    return [file, ...css, ...imports.flatMap(reach)]
  }
  reach(DOCUMENT)
  return [...new Set(reach(screen))]
    .map(path => {
      const rel = path.endsWith('.css') ? 'stylesheet' : 'modulepreload'
      return `<link rel="${rel}" crossorigin href="/console/${path}">`
    })
    .join('')
}

/** The font and the accent of the theme. They are in the document: a style sheet would be another request. */
function headOf({ font, fontFaces, light, dark }: Brand, nonce: string): string {
  const schemes = light &&
    dark && [
      `--accent:light-dark(${light.accent},${dark.accent})`,
      `--on-accent:light-dark(${light.onAccent},${dark.onAccent})`,
      `--accent-soft:light-dark(${light.soft},${dark.soft})`,
    ]
  const preload =
    font === null ? '' : `<link rel="preload" href="${escapeAttribute(font)}" as="font" type="font/woff2" crossorigin>`
  // More specific than the rules of the application.
  const accent = schemes ? `:root:root{${schemes.join(';')}}` : ''
  return `${preload}<style nonce="${nonce}">${fontFaces}${accent}</style>`
}

const escapeAttribute = (text: string): string => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

const accepts = (header: string, encoding: string): boolean =>
  new RegExp(`(^|,)\\s*${encoding}\\s*(;\\s*q=(1|0\\.\\d*[1-9]))?\\s*(,|$)`, 'i').test(header)

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  throw error
}
