import { PassThrough } from 'node:stream'
import test from 'ava'
import { createHold } from '../../bin/dev-hold.ts'

test('requests wait for the first kernel, and for each kernel that starts', t => {
  const hold = createHold()
  const handled: string[] = []
  const request = (name: string) => hold.pass(new PassThrough(), () => handled.push(name))
  request('before the start')
  t.deepEqual(handled, [])
  hold.release()
  request('after the start')
  hold.start()
  request('during a reload')
  t.deepEqual(handled, ['before the start', 'after the start'])
  hold.release()
  t.deepEqual(handled, ['before the start', 'after the start', 'during a reload'])
})

test('a client that leaves while it waits is forgotten', t => {
  const hold = createHold()
  const socket = new PassThrough()
  hold.pass(socket, () => t.fail())
  socket.destroy(new Error('reset by the client'))
  hold.release()
  t.pass()
})
