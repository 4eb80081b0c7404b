/** `larder mcp`: a Model Context Protocol server on stdin and stdout, until stdin ends. */
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ignoreEpipe } from '../shell.ts'
import { createProject } from './project.ts'
import { createMcpServer } from './server.ts'

export async function serveMcp(recipe: string | undefined): Promise<void> {
  ignoreEpipe()
  const server = createMcpServer(createProject(recipe, process.env))
  await server.connect(new StdioServerTransport(process.stdin, reserveStdout()))
  await once(process.stdin, 'end')
  await server.close()
}

/** Returns the real stdout. Everything else that writes to stdout, such as `console.log` of a team's module, goes to stderr. */
function reserveStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return new Writable({ write: (chunk: Buffer, _, done) => void write(chunk, () => done()) })
}
