/** The part of a generated client that is the same for every recipe. */
import { readFileSync } from 'node:fs'

/** In the order of their declarations. */
const BASE = ['errors', 'options', 'call', 'query', 'retry', 'transport', 'pages']
const COLLECTIONS = ['visitors', 'collections']
const REALTIME = ['realtime-types', 'realtime-socket', 'realtime']

export interface RuntimeParts {
  readonly collections: boolean
  readonly realtime: boolean
}

/** The runtime of a client as one text without imports. Only what users of a client need is exported. */
export const runtimeSource = ({ collections, realtime }: RuntimeParts): string =>
  [...BASE, ...(collections ? COLLECTIONS : []), ...(realtime ? REALTIME : [])]
    .map(name => inlined(readFileSync(new URL(`./runtime/${name}.ts`, import.meta.url), 'utf8')))
    .join('\n\n')

/** A source without imports of other files, and without `export` before declarations that are marked `@internal`. */
export function inlined(source: string): string {
  return source
    .replaceAll(/^import [^'"]*['"]\.[^'"]*['"]\n/gm, '')
    .replaceAll(/^\/\*\* @internal \*\/\nexport /gm, '')
    .replaceAll(
      /( @internal \*\/|\n \* @internal\n \*\/)\nexport /g,
      (_, end: string) => `${end.replace(/ ?@internal/, '').replace('\n *\n', '\n')}\n`,
    )
    .replaceAll(/^ \* *\n \*\/$/gm, ' */')
    .replaceAll(/^ *\/\/ biome-ignore .*\n/gm, '')
    .trim()
}

/** Names that the runtime declares, and global names that it uses: a component can't have one of them. */
export function reservedNames(source: string): Set<string> {
  const declared = [
    ...source.matchAll(/^(?:export )?(?:abstract )?(?:class|interface|type|const|async function\*?|function) (\w+)/gm),
  ]
  return new Set([...GLOBAL_NAMES, ...GENERATED_NAMES, ...declared.map(([, name = '']) => name)])
}

const GENERATED_NAMES = ['CommonCode', 'Events', 'LarderClient', 'Permission', 'Role', 'WebhookEvent', 'Webhooks']
const GLOBAL_NAMES = [
  'AbortController',
  'AbortSignal',
  'Array',
  'ArrayBuffer',
  'AsyncGenerator',
  'Awaited',
  'Blob',
  'DataView',
  'Date',
  'Error',
  'Exclude',
  'Extract',
  'FormData',
  'Headers',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Omit',
  'Partial',
  'Pick',
  'Promise',
  'PromiseLike',
  'Readonly',
  'Record',
  'Response',
  'ReturnType',
  'Set',
  'String',
  'Symbol',
  'TypeError',
  'Uint8Array',
  'WebSocket',
]
