import anyTest, { type TestFn } from 'ava'
import { shareKernel } from '../../../fixtures/shared-kernel.ts'
import { type PlatformFixture, startFixture } from '../fixtures.ts'

const test = anyTest as TestFn<PlatformFixture>
const PATH = '/v1/platform/problems'

shareKernel(test, startFixture, (fixture, t) => {
  t.context = fixture
})

test('lists to the operator what modules find wrong', async t => {
  const { status, body } = await t.context.admin.get(PATH)
  t.is(status, 200)
  t.deepEqual(body.data, [{ module: 'flaky', problem: 'The ledger is closed.' }])
})

test('requires the permission of the platform', async t => {
  const { status } = await t.context.ada.get(PATH)
  t.is(status, 403)
})
