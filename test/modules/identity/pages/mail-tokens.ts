/** Tokens of links in emails. */
import type { Person, TestKernel } from '../../../../testing/index.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { codeOf } from '../fixtures.ts'

/** The token in the newest email to this address that has a link to this path; empty if there is none. */
export async function tokenIn(kernel: TestKernel, email: string, path: string): Promise<string> {
  await kernel.settled()
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  for (const { id } of body.data) {
    const mail = await kernel.get(`/v1/communications/mailbox/${id}`)
    const [, token] = new RegExp(`${path}\\?token=([^\\s>\\]]+)`).exec(mail.body.text) ?? []
    if (token !== undefined) return decodeURIComponent(token)
  }
  return ''
}

/** The six digits in the newest email to this address that has some. */
export async function codeIn(kernel: TestKernel, email: string): Promise<string> {
  await kernel.settled()
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  for (const { id } of body.data) {
    const mail = await kernel.get(`/v1/communications/mailbox/${id}`)
    const [code] = /^\d{6}$/m.exec(mail.body.text) ?? []
    if (code !== undefined) return code
  }
  return ''
}

/** Waits until there is such an email. */
export async function waitForToken(kernel: TestKernel, email: string, path: string): Promise<string> {
  let token = ''
  await waitFor(async () => {
    token = await tokenIn(kernel, email, path)
    return token !== ''
  })
  return token
}

export async function verify(kernel: TestKernel, person: Person): Promise<void> {
  const token = await waitForToken(kernel, person.email, '/verify-email')
  const login = await person.post('/v1/auth/verify-email', { token })
  if (login.status !== 200) throw new Error(`verifying was answered ${codeOf(login)}`)
}
