/** Opens pages and posts forms like a browser without JavaScript. */
import type { TestKernel } from '../../../../testing/index.ts'

const HTML = { accept: 'text/html' }
type Headers = Readonly<Record<string, string>>

export interface Submitted {
  readonly status: number
  readonly location: string | null
  /** `name=value` of each cookie that the response sets. */
  readonly cookies: readonly string[]
  readonly text: string
}
export interface Visitor {
  open(path: string): Promise<{ readonly status: number; readonly body: string; readonly location: string | null }>
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<Submitted>
}

/** @param cookie those of the browser; none for a visitor who isn't signed in. */
export function visitor(kernel: TestKernel, cookie?: string, more: Headers = {}): Visitor {
  const headers = { ...HTML, ...(cookie !== undefined && { cookie }), ...more }
  return {
    async open(path) {
      const { status, body, headers: received } = await kernel.get<string>(path, { headers })
      return { status, body: String(body), location: received.get('location') }
    },
    async submit(path, fields) {
      const response = await fetch(new URL(path, kernel.url), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin', origin: kernel.url, ...headers },
        body: new URLSearchParams(fields),
      })
      const cookies = response.headers.getSetCookie().map(value => value.split(';')[0] as string)
      return {
        status: response.status,
        location: response.headers.get('location'),
        cookies,
        text: await response.text(),
      }
    },
  }
}
