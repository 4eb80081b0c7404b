/** Bare Express 5: parses a JSON body and sends a fixed JSON response without authentication. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import express from 'express'

const answer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const app = express()
app.use(express.json())
app.post('/', (_request, response) => {
  response.json(answer)
})
const server = createServer(app)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('disconnect', () => process.exit(0))
