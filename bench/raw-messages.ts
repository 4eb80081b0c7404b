/** The comparison for messages: `node:http` and `pg`, one INSERT per request, no authentication, no event. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { newId } from '../kernel/base/index.ts'
import { createPool } from './raw-database.ts'

const [url = ''] = process.argv.slice(2)
const pool = createPool(url)
const INSERT = `insert into raw_messages (id, conversation_id, sender_id, body, attachments)
  values ($1, $2, 'usr_1', $3, '[]') returning id, conversation_id, seq, sender_id, body, attachments, created_at`

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let sent = ''
  for await (const chunk of request) sent += chunk
  const values = [newId('msg'), request.url?.split('/')[4] ?? '', JSON.parse(sent).body]
  const { rows } = await pool.query({ name: 'post', text: INSERT, values })
  const text = JSON.stringify(rows[0])
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
