/**
 * Runs tasks in a child process with a low priority. V8 collects the garbage of all threads of a process in helper
 * threads: in the server, those of a costly task would have the priority of requests and add to its memory.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HostMessage, HostReply } from './low-priority-host.ts'
import { lowerPriority } from './priority.ts'
import { IDLE_MS, type TaskThreads, type ThreadLimits } from './task-threads.ts'
import type { TaskReport } from './worker.ts'

const HOST = fileURLToPath(new URL('./low-priority-host.js', import.meta.url))

interface Host {
  readonly child: ChildProcess
  readonly pending: Map<number, Pending>
}
interface Pending {
  resolve(report: TaskReport): void
  reject(error: Error): void
}

/** Starts the process with the first task. It ends a minute after the last one, or with this process. */
export function createLowPriorityProcess(limits: ThreadLimits, idleMs = IDLE_MS): TaskThreads {
  let host: Host | undefined
  let lastId = 0
  let idle: NodeJS.Timeout | undefined

  function start(): Host {
    const started = startHost(limits)
    const fail = (error: Error) => {
      if (host === started) host = undefined
      started.child.kill('SIGKILL')
      for (const { reject } of started.pending.values()) reject(error)
    }
    started.child.on('error', fail)
    started.child.once('close', (code, signal) =>
      fail(new Error(`the process of costly tasks ended with ${signal ?? code}`)),
    )
    return started
  }

  function endWhenIdle(current: Host): void {
    if (current.pending.size > 0) return
    current.child.unref()
    current.child.channel?.unref()
    if (host !== current) return
    idle = setTimeout(() => {
      host = undefined
      current.child.disconnect()
    }, idleMs).unref()
  }

  return {
    async run(task, { signal }) {
      signal.throwIfAborted()
      clearTimeout(idle)
      if (!host?.child.connected) host = start()
      const current = host
      const id = ++lastId
      const send = (message: HostMessage) => {
        if (current.child.connected) current.child.send(message, error => error && current.child.kill('SIGKILL'))
      }
      const abort = () => send({ kind: 'abort', id })
      signal.addEventListener('abort', abort)
      try {
        return await new Promise<TaskReport>((resolve, reject) => {
          current.child.ref()
          current.child.channel?.ref()
          current.pending.set(id, { resolve, reject })
          send({ kind: 'run', id, task })
        })
      } finally {
        signal.removeEventListener('abort', abort)
        current.pending.delete(id)
        endWhenIdle(current)
      }
    },
  }
}

function startHost({ threads, maxHeapMib }: ThreadLimits): Host {
  const child = fork(HOST, [String(threads), String(maxHeapMib)], {
    // Tasks get no secrets of the process.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // One collector: on a machine with two cores, parallel ones mostly wait for each other.
    execArgv: [...process.execArgv.filter(option => !option.startsWith('--inspect')), '--single-threaded-gc'],
  })
  // The child repeats this for the threads that it has by then.
  if (child.pid !== undefined) lowerPriority(child.pid)
  const pending = new Map<number, Pending>()
  child.on('message', (reply: HostReply) => {
    if ('report' in reply) pending.get(reply.id)?.resolve(reply.report)
    else pending.get(reply.id)?.reject(Object.assign(new Error(reply.error.message), reply.error))
  })
  return { child, pending }
}
