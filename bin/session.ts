import type { Kernel } from '../kernel/runtime/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { type Progress, showProgress } from './shell.ts'
import { stopSignal } from './stop.ts'

/** Boots a kernel that serves and processes nothing, and stops it after `work`, also on failure. */
export async function withKernel<T>(
  title: string,
  recipe: string | undefined,
  work: (kernel: Kernel, progress: Progress) => Promise<T>,
  role: 'tool' | 'migrate' = 'tool',
  confirmed = false,
  answers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const settings = readSettings(process.env)
  const checked = await checkFile(recipeFile(recipe, settings), process.env)
  const progress = await showProgress(title)
  try {
    const [{ bootKernel }, { toolLog }] = await Promise.all([import('../kernel/runtime/index.ts'), import('./log.ts')])
    const kernel = await bootKernel({
      checked,
      settings,
      role,
      confirmed,
      answers,
      log: toolLog(settings.logLevel),
      signal: stopSignal({ close: async () => {} }),
      onStep: progress.step,
    })
    try {
      return await work(kernel, progress)
    } finally {
      await kernel.stop()
    }
  } catch (error) {
    progress.failed()
    throw error
  }
}
