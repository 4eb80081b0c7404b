/** A fake clamd server for INSTREAM with configurable failures. */
import { createServer, type Socket } from 'node:net'
import { EICAR } from './files.ts'

/** `cut`: disconnects during its reply. `slow`: never replies. `full`: reports its size limit. */
export type Mood = 'well' | 'cut' | 'slow' | 'full' | 'mad'

export interface FakeClamd {
  readonly url: string
  mood: Mood
  /** Received bytes of the last file. */
  received: Buffer
  stop(): Promise<void>
  start(): Promise<void>
}

export async function fakeClamd(): Promise<FakeClamd> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let bytes = Buffer.alloc(0)
    socket.on('data', chunk => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.toString() === 'zPING\0') return socket.end('PONG\0')
      const file = wholeOf(bytes)
      if (clamd.mood === 'full' && bytes.length > 100) socket.end('INSTREAM size limit exceeded. ERROR\0')
      if (file === undefined) return undefined
      clamd.received = file
      return answer(socket, clamd.mood, file)
    })
  })
  let port = 0
  const clamd: FakeClamd = {
    get url() {
      return `tcp://127.0.0.1:${port}`
    },
    mood: 'well',
    received: Buffer.alloc(0),
    async start() {
      await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
      port = (server.address() as { port: number }).port
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
  await clamd.start()
  return clamd
}

function answer(socket: Socket, mood: Mood, file: Buffer): void {
  if (mood === 'cut') socket.end('stream: O')
  else if (mood === 'mad') socket.end('stream: perhaps\0')
  else if (mood === 'well') socket.end(file.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
}

/** Returns the file after its last chunk. Throws on an invalid INSTREAM. */
function wholeOf(bytes: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0'
  if (bytes.length < command.length) return undefined
  if (bytes.toString('latin1', 0, command.length) !== command) throw new Error('no INSTREAM')
  const chunks: Buffer[] = []
  for (let at = command.length; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}
