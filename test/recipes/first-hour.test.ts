/** The first steps with a shipped recipe: register, receive the welcome mail, invite a member, join. */
import test from 'ava'
import type { TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { startOf } from './shipped-kernels.ts'

for (const name of ['full', 'saas', 'control-plane']) {
  let kernel: TestKernel
  shareKernel(test, startOf(name), own => {
    kernel = own
  })

  test(`recipes/${name}.yaml is ready, sends a welcome mail and lets an invited user join`, async t => {
    t.is((await kernel.get('/v1/health/readiness')).status, 200)

    const ada = await kernel.register(newEmail('ada'), { name: 'Ada' })
    const invitee = newEmail('ben')
    const invited = await ada.post('/v1/identity/members/invite', {
      email: invitee,
      roles: ['tenant.member'],
    })
    t.is(invited.status, 201)
    await kernel.settled()

    const mailsTo = async (address: string) =>
      (await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(address)}`)).body.data
    t.true((await mailsTo(ada.email)).some(({ subject }) => /welcome/i.test(subject)))
    const [invitation] = await mailsTo(invitee)
    t.truthy(invitation)

    const { body } = await kernel.get(`/v1/communications/mailbox/${invitation?.id}`)
    const [link = ''] = /http\S+\/invitations\/accept\?token=[\w.-]+/.exec(body.text) ?? []
    const token = new URL(link).searchParams.get('token')
    const ben = await kernel.register(invitee, { invitation: token })
    const accepted = await ben.post('/v1/identity/invitations/accept', { token })
    t.is(accepted.status, 200)
    t.regex(accepted.headers.getSetCookie().join(), /platform_tenant=/)

    const members = (await ada.get('/v1/identity/members')).body.data
    t.deepEqual(members.map(member => member.email).sort(), [ada.email, ben.email])
    t.deepEqual(members.find(({ email }) => email === ben.email)?.roles, ['tenant.member'])
    // The invited user may open the link again. Others can't use it.
    t.is((await ben.post('/v1/identity/invitations/accept', { token })).status, 200)
    const cara = await kernel.register(newEmail('cara'))
    t.is((await cara.post('/v1/identity/invitations/accept', { token })).status, 403)
  })
}
