/** A project in a temporary folder, and a client that is connected to its server in this process. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { ExecutionContext } from 'ava'
import { createProject } from '../../../bin/mcp/project.ts'
import { createMcpServer } from '../../../bin/mcp/server.ts'

export const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: { from: "Acme <hello@acme.test>" }
`

type Files = Readonly<Record<string, string>>
type Teardown = Pick<ExecutionContext, 'teardown'>

export function createFolder(t: Teardown, files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'larder-mcp-')))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export interface Reply {
  readonly text: string
  /** Where the next part begins; undefined for the last part. */
  readonly note: string | undefined
  readonly failed: boolean
}
export interface ConnectedProject {
  readonly folder: string
  readonly client: McpClient
  call(name: string, args?: Record<string, unknown>): Promise<Reply>
  /** The whole reply as JSON, all of its parts. Throws if it is an error. */
  json<T>(name: string, args?: Record<string, unknown>): Promise<T>
}

/** @param files `recipe.yaml` and others, by path. */
export async function connect(t: Teardown, files: Files, env: Record<string, string> = {}): Promise<ConnectedProject> {
  const folder = createFolder(t, files)
  const settings = { LARDER_DATA: join(folder, '.larder'), LOG_LEVEL: 'silent', ...env }
  const server = createMcpServer(createProject(join(folder, 'recipe.yaml'), settings))
  const client = new McpClient({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  t.teardown(() => client.close())
  return { folder, client, ...callsOf(client) }
}

export function callsOf(client: McpClient): Pick<ConnectedProject, 'call' | 'json'> {
  async function call(name: string, args: Record<string, unknown> = {}): Promise<Reply> {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const [{ text }, note] = content as [{ text: string }, { text: string }?]
    return { text, note: note?.text, failed: isError === true }
  }
  async function whole(name: string, args: Record<string, unknown>, before = ''): Promise<Reply> {
    const reply = await call(name, args)
    const text = before + reply.text
    const [, offset] = /offset: (\d+)/.exec(reply.note ?? '') ?? []
    return offset === undefined ? { ...reply, text } : whole(name, { ...args, offset: Number(offset) }, text)
  }
  return {
    call,
    async json<T>(name: string, args: Record<string, unknown> = {}) {
      const { text, failed } = await whole(name, args)
      if (failed) throw new Error(text)
      return JSON.parse(text) as T
    },
  }
}
