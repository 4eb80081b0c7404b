/** Imports code. Files of Larder are imported directly; files of a team are bundled in memory first. */
import { fileURLToPath } from 'node:url'
import { importBundled } from './bundle.ts'
import { isShipped } from './shipped-modules.ts'

/**
 * Returns the exports of the file at `url` (`file:`). A team's file may be TypeScript with erasable syntax on any Node
 * version, and its `@larder-dev/larder/kernel` is this kernel. Each call evaluates a team's file again.
 */
export async function importFile(url: string | URL): Promise<Readonly<Record<string, unknown>>> {
  if (isShipped(url)) return import(String(url))
  return importBundled(fileURLToPath(url))
}
