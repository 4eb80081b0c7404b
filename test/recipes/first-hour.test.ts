/** The first steps with a shipped recipe: register, receive the welcome mail, invite a member, join. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel } from '../../testing/index.ts'

interface Mail {
  id: string
  to: string
  subject: string
}

for (const name of ['full', 'saas', 'control-plane'])
  test(`recipes/${name}.yaml is ready, sends a welcome mail and lets an invited user join`, async t => {
    const recipe = fileURLToPath(new URL(`recipes/${name}.yaml`, packageRoot))
    const kernel = await startTestKernel({ recipe })
    t.teardown(() => kernel.stop())
    t.is((await kernel.get('/v1/health/readiness')).status, 200)

    const ada = await kernel.register('ada@example.test', { name: 'Ada' })
    const invited = await ada.post('/v1/identity/members/invite', {
      email: 'ben@example.test',
      roles: ['tenant.member'],
    })
    t.is(invited.status, 201)
    await kernel.settled()

    const mails = (await kernel.get<{ data: Mail[] }>('/v1/communications/mailbox')).body.data
    const welcome = mails.find(({ subject }) => /welcome/i.test(subject))
    const invitation = mails.find(({ to }) => to === 'ben@example.test')
    t.is(welcome?.to, 'ada@example.test')
    t.truthy(invitation)

    const { body } = await kernel.get<{ text: string }>(`/v1/communications/mailbox/${invitation?.id}`)
    const [link = ''] = /http\S+\/invitations\/accept\?token=[\w.-]+/.exec(body.text) ?? []
    const token = new URL(link).searchParams.get('token')
    const ben = await kernel.register('ben@example.test', { invitation: token })
    const accepted = await ben.post('/v1/identity/invitations/accept', { token })
    t.is(accepted.status, 200)
    t.regex(accepted.headers.getSetCookie().join(), /platform_tenant=/)

    const members = (await ada.get<{ data: { email: string; roles: string[] }[] }>('/v1/identity/members')).body.data
    t.deepEqual(members.map(member => member.email).sort(), ['ada@example.test', 'ben@example.test'])
    t.deepEqual(members.find(({ email }) => email === 'ben@example.test')?.roles, ['tenant.member'])
    // The invited user may open the link again. Others can't use it.
    t.is((await ben.post('/v1/identity/invitations/accept', { token })).status, 200)
    const cara = await kernel.register('cara@example.test')
    t.is((await cara.post('/v1/identity/invitations/accept', { token })).status, 403)
  })
