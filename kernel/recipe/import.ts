/** Loads code. What belongs to Larder is imported as it is; what belongs to a team is bundled first, in memory. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { codeRoot } from '../root.ts'

const OWN = ['kernel/', 'modules/'].map(folder => new URL(folder, codeRoot).href)

/** True for files of Larder itself, which import the kernel by relative paths. */
export const isOwn = (url: string | URL): boolean => OWN.some(folder => String(url).startsWith(folder))

/**
 * The exports of the file at `url` (`file:`). A team's file may be TypeScript with erasable syntax on any Node, and
 * `larder/kernel` in it is this kernel, wherever the file stands. Each call evaluates a team's file anew.
 */
export async function importFile(url: string | URL): Promise<Record<string, unknown>> {
  if (isOwn(url)) return (await import(String(url))) as Record<string, unknown>
  const { importBundled } = await import('./bundle.ts')
  return importBundled(fileURLToPath(url))
}

/** What `larder/kernel` and `larder/kernel/testing` are: files of the kernel that runs. */
export function ownExport(name: string): string | undefined {
  const file = { 'larder/kernel': 'contract', 'larder/kernel/testing': 'testing' }[name]
  return file && new URL(`kernel/${file}${extension}`, codeRoot).href
}

/** `.ts` where the sources run as they stand, else `.js`. */
export const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
export const fileHref = (path: string): string => pathToFileURL(path).href
