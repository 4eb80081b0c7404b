/** Kernels of the shipped recipes, which test files share (`shareKernel`). */
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'

const folder = new URL('recipes/', packageRoot)
const files = readdirSync(folder).filter(file => file.endsWith('.yaml'))

/** By the name of the recipe, such as `full`. */
const starts = new Map(
  files.map(file => [
    basename(file, '.yaml'),
    (): Promise<TestKernel> => startTestKernel({ recipe: fileURLToPath(new URL(file, folder)) }),
  ]),
)

export const SHIPPED_RECIPES: readonly string[] = [...starts.keys()]

/** The same function for each call with this name. */
export function startOf(name: string): () => Promise<TestKernel> {
  const start = starts.get(name)
  if (!start) throw new Error(`no shipped recipe has the name ${name}`)
  return start
}
export const startFull = startOf('full')
