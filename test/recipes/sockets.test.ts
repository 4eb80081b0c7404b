import test from 'ava'
import type { TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { startFull } from './shipped-kernels.ts'

let kernel: TestKernel
shareKernel(test, startFull, full => {
  kernel = full
})

test('modules list the sockets that work, and none that has moved', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const { body } = await ada.get('/v1/platform/modules')
  const paths = (name: string) => body.data.find(({ key }) => key === name)?.sockets.map(({ path }) => path)
  t.deepEqual(paths('messaging'), ['/v1/realtime'])
  t.true(paths('streams')?.includes('/v1/realtime'))
  t.deepEqual(paths('identity'), [])
  // Without the headers of an upgrade, a socket asks for them.
  for (const path of new Set(body.data.flatMap(({ sockets }) => sockets.map(socket => socket.path))))
    t.is((await ada.get(path.replaceAll(/:\w+/g, 'any'))).status, 426, path)
})
