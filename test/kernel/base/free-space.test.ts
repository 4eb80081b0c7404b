import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { assertFreeSpace } from '../../../kernel/base/free-space.ts'
import { GIB } from '../../../kernel/base/units.ts'

test('compares the free space of a folder with the minimum', async t => {
  await t.notThrowsAsync(assertFreeSpace(tmpdir(), 1))
  await t.throwsAsync(assertFreeSpace(tmpdir(), 2 ** 30 * GIB), { message: /has \d+ MiB of disk space left/ })
})

test('uses the parent of a folder that does not exist yet', async t => {
  const folder = join(tmpdir(), 'larder-missing', 'media')
  await t.notThrowsAsync(assertFreeSpace(folder, 1))
  await t.throwsAsync(assertFreeSpace(folder, 2 ** 30 * GIB), { message: /MIN_FREE_DISK_MB/ })
})
