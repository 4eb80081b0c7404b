/** A name server with TXT records, for tests. */
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

export interface NameServer {
  /** `127.0.0.1:<port>` */
  readonly address: string
  /** Values by domain. Other domains don't exist. */
  readonly records: Map<string, readonly string[]>
  /** Answers that it failed. */
  failing: boolean
  /** Answers once it was asked for so many names, and from then on at once. */
  quorum: number
  stop(): Promise<void>
}

const HEADER_BYTES = 12
const NAME_POINTER = 0xc00c
const TXT = 16
const NOT_FOUND = 3
const SERVER_FAILURE = 2

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  const server: NameServer = {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    records: new Map(),
    failing: false,
    quorum: 1,
    stop: () => new Promise(resolve => socket.close(() => resolve())),
  }
  const waiting = new Map<string, () => void>()
  socket.on('message', (query, { port, address }) => {
    const { name, end } = questionOf(query)
    waiting.set(name, () => answer(query, name, end, port, address))
    if (waiting.size < server.quorum) return
    server.quorum = 1
    for (const answerName of waiting.values()) answerName()
    waiting.clear()
  })
  function answer(query: Buffer, name: string, end: number, port: number, address: string): void {
    const values = server.records.get(name)
    const code = server.failing ? SERVER_FAILURE : values ? 0 : NOT_FOUND
    const answers = code === 0 ? (values ?? []).map(toRecord) : []
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt16BE(query.readUInt16BE(0), 0)
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers]), port, address)
  }
  return server
}

/** The name of the question, and where the question ends. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

function toRecord(value: string): Buffer {
  const text = Buffer.from(value)
  const record = Buffer.alloc(HEADER_BYTES + 1)
  record.writeUInt16BE(NAME_POINTER, 0)
  record.writeUInt16BE(TXT, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(60, 6)
  record.writeUInt16BE(text.length + 1, 10)
  record.writeUInt8(text.length, HEADER_BYTES)
  return Buffer.concat([record, text])
}
