import { availableParallelism } from 'node:os'
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

/** With fewer cores, the process waits for the threads of a collection, because they run on the core of another process. */
const MIN_CORES_FOR_THREADS = 3

/** V8 collects the young generation with up to five threads, whatever the number of cores. */
export function limitCollectionThreads(): void {
  if (availableParallelism() < MIN_CORES_FOR_THREADS) setFlagsFromString('--no-parallel-scavenge')
}
