/** A kernel with topics. */
import { fileURLToPath } from 'node:url'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../../testing/index.ts'

const use = fileURLToPath(new URL('./boards/module.js', import.meta.url))

export const startTopics = (options: Partial<TestKernelOptions> = {}): Promise<TestKernel> =>
  startTestKernel({
    recipe: {
      roles: {
        'tenant.reader': { name: 'Reader', permissions: ['boards.card.read'] },
        'tenant.guest': { name: 'Guest', permissions: [] },
      },
      modules: { identity: {}, boards: { use } },
    },
    ...options,
  })
