/** A connection that a check opens and that can't hold it up. */
import { Client } from 'pg'
import { ANSWER_MS } from './finding.ts'

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    application_name: 'larder doctor',
  })
  // The query rejects as well.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    // A server that accepts and doesn't answer doesn't answer to this either.
    void client.end()
  }
}
