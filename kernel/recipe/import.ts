/** Loads code. What belongs to Larder is imported as it is; what belongs to a team is bundled first, in memory. */
import { fileURLToPath } from 'node:url'
import { importBundled } from './bundle.ts'
import { isShipped } from './shipped-modules.ts'

/**
 * The exports of the file at `url` (`file:`). A team's file may be TypeScript with erasable syntax on any Node, and
 * `larder/kernel` in it is this kernel, wherever the file stands. Each call evaluates a team's file anew.
 */
export async function importFile(url: string | URL): Promise<Readonly<Record<string, unknown>>> {
  if (isShipped(url)) return import(String(url))
  return importBundled(fileURLToPath(url))
}
