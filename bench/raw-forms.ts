/**
 * The comparison for form submissions: `node:http` and `pg`, one statement per request, which finds the form and stores the
 * entry and an event, without validation, detection of spam, limits and log.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { newId } from '../kernel/base/index.ts'
import { createPool } from './raw-database.ts'

const [url = ''] = process.argv.slice(2)
const pool = createPool(url)

const SUBMIT = `with s as (
    insert into raw_submissions (id, tenant_id, form_id, data)
    select $2, f.tenant_id, f.id, $3 from raw_forms f where f.id = $1 returning *),
  e as (insert into raw_events (id, tenant_id, type, subject, payload)
    select $4, s.tenant_id, 'form.submitted', s.id, json_build_object('id', s.id, 'formId', s.form_id) from s)
  select id, form_id, data, created_at from s`

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request) text += chunk
  const { data } = JSON.parse(text)
  const values = ['frm_1', newId('sub'), JSON.stringify(data), newId('evt')]
  const { rows } = await pool.query({ name: 'submit', text: SUBMIT, values })
  const answer = JSON.stringify(rows[0])
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
  response.end(answer)
}

const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
