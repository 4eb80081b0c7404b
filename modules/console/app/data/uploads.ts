/** Uploads of several files, at most two at a time, with progress. */
import { useRef, useState } from 'react'
import { workspace } from '../browser/document.ts'
import { languageStore } from '../locales/index.ts'
import type { MediaItem } from './api-types.ts'
import type { ProblemDocument } from './problem.ts'

export interface Upload {
  readonly id: number
  readonly name: string
  readonly state: 'waiting' | 'sending' | 'checking' | 'done' | 'rejected' | 'failed'
  /** 0 to 1. */
  readonly progress: number
  /** Why it failed or was rejected; empty for a lost connection. */
  readonly reason: string
  /** The ID of the stored file. */
  readonly mediaId?: string
}
const MAX_PARALLEL = 2
let lastId = 0

export const isFinished = ({ state }: Upload): boolean => state === 'done' || state === 'rejected' || state === 'failed'

/** @param onDone called after each file. @param folder of the files. */
export function useUploads(onDone: () => void, folder = '') {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const waiting = useRef<{ readonly id: number; readonly file: File; readonly folder: string }[]>([])
  const running = useRef(new Map<number, XMLHttpRequest>())
  const change = (id: number, next: Partial<Upload>) =>
    setUploads(all => all.map(upload => (upload.id === id ? { ...upload, ...next } : upload)))

  function startNext(): void {
    while (running.current.size < MAX_PARALLEL) {
      const next = waiting.current.shift()
      if (!next) return
      start(next)
    }
  }
  function start({ id, file, folder }: (typeof waiting.current)[number]): void {
    const request = new XMLHttpRequest()
    running.current.set(id, request)
    change(id, { state: 'sending' })
    request.upload.onprogress = ({ loaded, total }) => change(id, { progress: total === 0 ? 1 : loaded / total })
    request.upload.onload = () => change(id, { state: 'checking', progress: 1 })
    request.onloadend = () => {
      running.current.delete(id)
      change(id, outcomeOf(request))
      onDone()
      startNext()
    }
    request.open('POST', '/v1/media')
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('accept-language', languageStore.get())
    if (workspace) request.setRequestHeader('x-tenant-id', workspace.id)
    const form = new FormData()
    form.set('folder', folder)
    form.set('file', file)
    request.send(form)
  }
  return {
    uploads,
    add(files: Iterable<File>) {
      const added = [...files].map(file => ({ id: ++lastId, file, folder }))
      setUploads(all => [
        ...all,
        ...added.map(({ id, file }) => ({ id, name: file.name, state: 'waiting' as const, progress: 0, reason: '' })),
      ])
      waiting.current.push(...added)
      startNext()
    },
    cancel(id: number) {
      waiting.current = waiting.current.filter(each => each.id !== id)
      running.current.get(id)?.abort()
      setUploads(all => all.filter(upload => upload.id !== id))
    },
    clear: () => setUploads(all => all.filter(upload => !isFinished(upload))),
  }
}

function outcomeOf({ status, responseText }: XMLHttpRequest): Partial<Upload> {
  try {
    if (status === 201 || status === 202) {
      const { id, rejection } = JSON.parse(responseText) as MediaItem
      return rejection ? { state: 'rejected', reason: rejection.detail } : { state: 'done', mediaId: id }
    }
    const { detail, title } = JSON.parse(responseText) as ProblemDocument
    return { state: 'failed', reason: detail || title }
  } catch {
    return { state: 'failed', reason: '' }
  }
}
