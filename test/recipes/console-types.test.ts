/** Keeps the console's types equal to the API of the shipped modules. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { typesOf } from '../../bin/client.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { startFull } from './shipped-kernels.ts'

const pathOf = (file: string): string => fileURLToPath(new URL(file, packageRoot))
const CONSOLE_TYPES = pathOf('modules/console/app/data/api-types.ts')
const OUTDATED = 'run this test with UPDATE_GOLDEN=1'

let kernel: TestKernel
shareKernel(test, startFull, full => {
  kernel = full
})

test('the console has the types of the API', async t => {
  const types = (await typesOf(kernel.kernel.ports))
    // A new description changes no type.
    .replaceAll(/^ *\/\*\*.*\*\/\n/gm, '')
  if (process.env.UPDATE_GOLDEN) writeFileSync(CONSOLE_TYPES, types)
  t.true(readFileSync(CONSOLE_TYPES, 'utf8') === types, OUTDATED)
})
