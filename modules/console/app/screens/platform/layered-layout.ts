/**
 * Positions of the nodes and edges of a directed graph, in layers from top to bottom: a node is above everything it
 * points to. The method of Sugiyama, Tagawa and Toda: break cycles, assign layers, order them, assign coordinates. Pure.
 */
import { orderLayers, type Place } from './layer-order.ts'

export interface Point {
  readonly x: number
  readonly y: number
}
export interface LayoutEdge {
  readonly from: string
  readonly to: string
}
export interface Layout<E extends LayoutEdge> {
  readonly width: number
  readonly height: number
  /** Centers. */
  readonly nodes: ReadonlyMap<string, Point>
  /** From the border of the first node to that of the second. */
  readonly edges: readonly { readonly edge: E; readonly points: readonly Point[] }[]
}
export interface LayoutSizes {
  readonly nodeWidth: number
  readonly nodeHeight: number
  readonly gapX: number
  readonly gapY: number
}
const PASSES = 12

export function layoutGraph<E extends LayoutEdge>(
  ids: readonly string[],
  edges: readonly E[],
  sizes: LayoutSizes,
): Layout<E> {
  const directed = withoutCycles(ids, edges)
  const layerOf = assignLayers(ids, directed)
  const depth = Math.max(0, ...layerOf.values())
  const layers: Place[][] = Array.from({ length: depth + 1 }, () => [])
  const places = new Map<string, Place>()
  for (const id of ids) places.set(id, addPlace(layers[layerOf.get(id) ?? 0], id, true))
  const routes = directed.map(({ edge, upper, lower, isReversed }) => {
    const first = layerOf.get(upper) ?? 0
    const last = layerOf.get(lower) ?? 0
    const between = layers
      .slice(first + 1, last)
      .map((layer, index) => addPlace(layer, `${upper}\n${lower}\n${index}`, false))
    const route = [places.get(upper), ...between, places.get(lower)].filter(place => place !== undefined)
    for (const [index, place] of route.entries()) {
      const next = route[index + 1]
      if (!next) continue
      place.below.push(next)
      next.above.push(place)
    }
    return { edge, route, isReversed }
  })
  const ordered = orderLayers(layers)
  placeLayers(ordered, sizes)
  const { nodeWidth, nodeHeight, gapY } = sizes
  const left = Math.min(...ordered.flat().map(({ x }) => x)) - nodeWidth / 2
  const right = Math.max(...ordered.flat().map(({ x }) => x)) + nodeWidth / 2
  const y = (index: number) => nodeHeight / 2 + index * (nodeHeight + gapY)
  const points = new Map(
    ordered.flatMap((layer, index) => layer.map(place => [place, { x: place.x - left, y: y(index) }] as const)),
  )
  const at = (place: Place): Point => points.get(place) ?? { x: 0, y: 0 }
  const topOf = ({ x, y: middle }: Point): Point => ({ x, y: middle - nodeHeight / 2 })
  const bottomOf = ({ x, y: middle }: Point): Point => ({ x, y: middle + nodeHeight / 2 })
  return {
    width: ids.length === 0 ? 0 : right - left,
    height: ids.length === 0 ? 0 : y(depth) + nodeHeight / 2,
    nodes: new Map([...places].map(([id, place]) => [id, at(place)])),
    edges: routes.map(({ edge, route, isReversed }) => {
      const [first, ...rest] = route.map(at) as [Point, ...Point[]]
      const last = rest.pop() ?? first
      // Beside the nodes of a layer the line is straight.
      const between = rest.flatMap(point => [topOf(point), bottomOf(point)])
      const line = [bottomOf(first), ...between, topOf(last)]
      return { edge, points: isReversed ? line.toReversed() : line }
    }),
  }
}

function addPlace(layer: Place[] | undefined, id: string, isNode: boolean): Place {
  const place: Place = { id, isNode, above: [], below: [], x: 0 }
  layer?.push(place)
  return place
}

interface DirectedEdge<E> {
  readonly edge: E
  readonly upper: string
  readonly lower: string
  readonly isReversed: boolean
}

/** Turns the edges around that lead back to a node from which they were reached. */
function withoutCycles<E extends LayoutEdge>(ids: readonly string[], edges: readonly E[]): DirectedEdge<E>[] {
  const known = new Set(ids)
  const proper = edges.filter(({ from, to }) => from !== to && known.has(from) && known.has(to))
  const done = new Set<string>()
  const open = new Set<string>()
  const back = new Set<E>()
  const visit = (id: string) => {
    open.add(id)
    for (const edge of proper.filter(({ from }) => from === id))
      if (open.has(edge.to)) back.add(edge)
      else if (!done.has(edge.to)) visit(edge.to)
    open.delete(id)
    done.add(id)
  }
  for (const id of ids) if (!done.has(id)) visit(id)
  return proper.map(edge => {
    const isReversed = back.has(edge)
    return { edge, upper: isReversed ? edge.to : edge.from, lower: isReversed ? edge.from : edge.to, isReversed }
  })
}

/** The longest path below a node decides its layer, so that what others use is at the bottom. */
function assignLayers(ids: readonly string[], edges: readonly DirectedEdge<unknown>[]): Map<string, number> {
  const heights = new Map<string, number>()
  const heightOf = (id: string): number => {
    const found =
      heights.get(id) ??
      Math.max(0, ...edges.filter(({ upper }) => upper === id).map(({ lower }) => heightOf(lower) + 1))
    heights.set(id, found)
    return found
  }
  const top = Math.max(0, ...ids.map(heightOf))
  return new Map(ids.map(id => [id, top - heightOf(id)]))
}

/** Moves each place toward the mean of its neighbors, as far as the others in its layer allow. */
function placeLayers(layers: readonly (readonly Place[])[], { nodeWidth, gapX }: LayoutSizes): void {
  const distance = (a: Place, b: Place) =>
    a.isNode && b.isNode ? nodeWidth + gapX : a.isNode || b.isNode ? nodeWidth / 2 + gapX : gapX
  for (const layer of layers) {
    const offsets = offsetsOf(layer, distance)
    const middle = (offsets.at(-1) ?? 0) / 2
    for (const [index, place] of layer.entries()) place.x = (offsets[index] ?? 0) - middle
  }
  for (let pass = 0; pass < PASSES; pass++)
    for (const layer of pass % 2 === 0 ? layers : layers.toReversed()) {
      const wanted = layer.map(place => {
        const near = [...place.above, ...place.below]
        return near.length === 0 ? place.x : near.reduce((sum, { x }) => sum + x, 0) / near.length
      })
      const offsets = offsetsOf(layer, distance)
      const free = closestRising(wanted.map((x, index) => x - (offsets[index] ?? 0)))
      for (const [index, place] of layer.entries()) place.x = (free[index] ?? 0) + (offsets[index] ?? 0)
    }
}

function offsetsOf(layer: readonly Place[], distance: (a: Place, b: Place) => number): number[] {
  const offsets: number[] = []
  for (const [index, place] of layer.entries()) {
    const before = layer[index - 1]
    offsets.push(before ? (offsets[index - 1] ?? 0) + distance(before, place) : 0)
  }
  return offsets
}

/** The nondecreasing numbers with the least squared distance from these (pool adjacent violators). */
export function closestRising(values: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = []
  const mean = ({ sum, count }: { sum: number; count: number }) => sum / count
  for (const value of values) {
    pools.push({ sum: value, count: 1 })
    for (;;) {
      const [before, last] = pools.slice(-2)
      if (!before || !last || mean(before) <= mean(last)) break
      pools.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count })
    }
  }
  return pools.flatMap(pool => Array<number>(pool.count).fill(mean(pool)))
}
