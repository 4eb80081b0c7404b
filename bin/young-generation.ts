import { setFlagsFromString } from 'node:v8'

/**
 * V8 doubles its young generation, up to 32 MiB, while much is allocated, and an idle process keeps that memory. A start
 * needs it only once, so the young generation grows with the load instead.
 */
export function growYoungGeneration(grow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${grow ? 2 : 1}`)
}

/**
 * V8 allocates objects in the old generation if earlier ones of the same line of code survived. Those of idle sockets
 * survive: after 600 sockets had joined, every frame of the others left garbage there, which kept further objects until a
 * full collection. Collections of the young generation took two to three times as long.
 */
export function allocateInYoungGeneration(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
