/** What automations can do with webhooks. */
import { action, CAUSE_HEADER, isRecord, OneOf, type StepMistake, secretValue, Type } from '@larder-dev/larder/kernel'
import { problems } from './problems.ts'
import type { WebhookServices } from './services.ts'

/** Scheme and host, and then the end, or a path or a query, where values of a run may begin. */
const LITERAL_ORIGIN = /^https?:\/\/[^\s/?#\\@{}$]+(?=[/?#]|$)/i
/** `.` and `..` as parts of a path, which would lead out of it. */
const DOT_SEGMENT = /\/(\.|%2e){1,2}(?=[/?#]|$)/i
const HEADER_NAME = /^[a-z0-9-]+$/i
const HEADER_VALUE = /^[\t\x20-\x7e]*$/
/** Headers that the connection sets, or that a repetition is recognized by. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'keep-alive',
  CAUSE_HEADER,
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
])
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const actions = {
  request: action({
    title: { en: 'Send an HTTP request', de: 'HTTP-Anfrage senden' },
    description: {
      en: 'Sends a request to another system, at least once: repetitions have the same Idempotency-Key',
      de: 'Sendet mindestens einmal eine Anfrage an ein anderes System: Wiederholungen haben denselben Idempotency-Key',
    },
    input: Type.Object(
      {
        method: Type.Optional(OneOf(METHODS, { description: 'POST by default' })),
        url: Type.String({
          format: 'uri',
          maxLength: 2048,
          description: 'Scheme and host are written out; values of the run can follow in the path and the query',
          examples: ['https://api.example.com/tickets/{{row.number}}'],
        }),
        headers: Type.Optional(
          Type.Record(Type.String(), Type.String({ maxLength: 8192 }), {
            examples: [{ authorization: `Bearer \${API_TOKEN}` }],
          }),
        ),
        json: Type.Optional(Type.Unknown({ description: 'Sent as JSON', examples: [{ title: '$row.title' }] })),
        form: Type.Optional(
          Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
            description: 'Sent as the fields of a form',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      status: Type.Integer(),
      // Responses may contain tokens.
      body: secretValue(Type.String({ description: 'The first 8 KiB of the response' })),
      json: secretValue(Type.Unknown({ description: 'The response, if it is JSON of at most 8 KiB; otherwise null' })),
    }),
    effects: 'outside',
    check: written => ({
      mistakes: [...urlMistakes(written), ...headerMistakes(written), ...bodyMistakes(written)],
    }),
    async run(
      { requests }: Pick<WebhookServices, 'requests'>,
      { method = 'POST', url, headers = {}, json, form },
      { key, signal },
    ) {
      if (!URL.canParse(url) || DOT_SEGMENT.test(url)) throw problems.invalid_request({ what: 'url' })
      for (const [name, value] of Object.entries(headers))
        if (OWN_HEADERS.has(name.toLowerCase()) || !HEADER_NAME.test(name) || !HEADER_VALUE.test(value))
          throw problems.invalid_request({ what: name })
      const content = contentOf(json, form)
      const { status, body } = await requests.send({
        method,
        url,
        headers: {
          'user-agent': 'Larder',
          accept: 'application/json, */*;q=0.5',
          ...lowerCase(headers),
          ...(content && { 'content-type': content.type }),
          'idempotency-key': key,
        },
        body: content?.body ?? null,
        signal,
      })
      return { status, body, json: parseJson(body) }
    },
  }),
}

interface Content {
  readonly type: string
  readonly body: string
}

function contentOf(json: unknown, form: Readonly<Record<string, unknown>> | undefined): Content | null {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) }
  if (form === undefined) return null
  const fields = Object.entries(form).map(([name, value]): [string, string] => [name, String(value)])
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() }
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Written = Readonly<Record<string, unknown>>

function urlMistakes({ url }: Written): StepMistake[] {
  if (typeof url !== 'string') return []
  const mistake = (message: string, hint: string) => [{ path: ['url'], code: 'invalid_url', message, hint }]
  if (!LITERAL_ORIGIN.test(url))
    return mistake(
      'The URL does not begin with a scheme and a host that are written out',
      'Write it like https://api.example.com/tickets/{{row.number}}',
    )
  if (!URL.canParse(url.replaceAll(/\{\{.*?\}\}/g, 'x')))
    return mistake('The URL is not valid', 'Write it like https://api.example.com/tickets')
  return []
}

const headerMistakes = ({ headers }: Written): StepMistake[] =>
  isRecord(headers)
    ? Object.keys(headers).flatMap(name => {
        const path = ['headers', name]
        if (OWN_HEADERS.has(name.toLowerCase()))
          return [
            { path, code: 'invalid_header', message: `The header ${name} is set by the action`, hint: 'Remove it' },
          ]
        if (HEADER_NAME.test(name)) return []
        return [{ path, code: 'invalid_header', message: `"${name}" is not the name of a header` }]
      })
    : []

function bodyMistakes({ json, form, method }: Written): StepMistake[] {
  if (json !== undefined && form !== undefined)
    return [{ path: ['form'], code: 'invalid_body', message: 'The step has json and form', hint: 'Write one of them' }]
  const name = json !== undefined ? 'json' : form !== undefined ? 'form' : undefined
  if (method !== 'GET' || name === undefined) return []
  return [{ path: [name], code: 'invalid_body', message: 'A GET request has no body', hint: 'Use method: POST' }]
}
