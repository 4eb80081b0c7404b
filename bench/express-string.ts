/** The comparison for pages: Express 5 sending a fixed string. Argument: its size in bytes. */
import { createServer } from 'node:http'
import express from 'express'

const [size = '0'] = process.argv.slice(2)
const html = 'x'.repeat(Number(size))
const app = express()
app.get('/', (_request, response) => {
  response.type('html').send(html)
})
const server = createServer(app)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
