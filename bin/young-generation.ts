import { setFlagsFromString } from 'node:v8'

/**
 * V8 doubles its young generation, up to 32 MiB, while much is allocated, and an idle process keeps that memory. A start
 * needs it only once, so the young generation grows with the load instead.
 */
export function growYoungGeneration(grow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${grow ? 2 : 1}`)
}

/**
 * V8 allocates objects in the old generation if earlier ones of the same line of code survived, as those of idle sockets
 * do. There, the garbage of busy sockets would keep younger objects. See docs/decisions/0047-young-generation.md.
 */
export function allocateInYoungGeneration(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
