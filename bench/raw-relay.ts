/** The comparison for signaling: `ws` relays frames without parsing them to the other peers of the room in the URL. */
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

const rooms = new Map<string, Set<WebSocket>>()
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false, maxPayload: 128 * 1024 })
server.on('connection', (socket, request) => {
  const name = request.url ?? ''
  const room = rooms.get(name) ?? new Set()
  rooms.set(name, room.add(socket))
  socket.on('message', data => {
    for (const other of room) if (other !== socket) other.send(data, { binary: false })
  })
  socket.on('close', () => room.delete(socket))
})
server.on('listening', () => process.send?.({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }))
process.on('disconnect', () => process.exit(0))
