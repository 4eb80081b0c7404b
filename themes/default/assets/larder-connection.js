// @ts-check
/** One RTCPeerConnection to one peer, negotiated perfectly (W3C WebRTC, 10.7). Part of larder-realtime.js. */

/**
 * @typedef {object} Reports
 * @property {(type: 'description' | 'candidate', data: object) => void} say
 * @property {(state: string) => void} state
 * @property {(stream: MediaStream) => void} stream
 * @property {() => void} lost The other side must begin anew: this one may not offer.
 * @property {boolean} offers
 */

/** One RTCPeerConnection, negotiated perfectly. */
export class Connection {
  /** @type {RTCPeerConnection} */
  #peer
  #polite
  #reports
  #makingOffer = false
  #ignoreOffer = false
  #settingAnswer = false
  /** Candidates that came before their description. @type {(RTCIceCandidateInit | null)[]} */
  #early = []
  /** One frame after the other. */
  #turn = Promise.resolve()

  /** @param {string} id @param {boolean} polite @param {RTCConfiguration} rtc @param {Reports} reports */
  constructor(id, polite, rtc, reports) {
    this.id = id
    this.#polite = polite
    this.#reports = reports
    this.#peer = new RTCPeerConnection(rtc)
    this.#peer.onicecandidate = ({ candidate }) => reports.say('candidate', { candidate: candidate?.toJSON() ?? null })
    this.#peer.onnegotiationneeded = () => this.#offer()
    this.#peer.ontrack = ({ streams, track }) => reports.stream(streams[0] ?? new MediaStream([track]))
    this.#peer.onconnectionstatechange = () => {
      reports.state(this.#peer.connectionState)
      if (this.#peer.connectionState === 'failed') this.mend()
    }
  }

  get alive() {
    return this.#peer.connectionState !== 'closed' && this.#peer.connectionState !== 'failed'
  }

  /** @param {MediaStream | undefined} media */
  send(media) {
    const senders = this.#peer.getSenders()
    for (const track of media?.getTracks() ?? []) {
      const sender = senders.find(one => one.track?.kind === track.kind)
      if (sender) void sender.replaceTrack(track)
      else this.#peer.addTrack(track, /** @type {MediaStream} */ (media))
    }
    const kinds = media?.getTracks().map(({ kind }) => kind) ?? []
    for (const sender of senders) if (sender.track && !kinds.includes(sender.track.kind)) this.#peer.removeTrack(sender)
  }

  /** Looks for another way to the other side, if this one no longer leads there. */
  mend() {
    if (!['failed', 'disconnected'].includes(this.#peer.connectionState)) return
    if (this.#reports.offers) this.#peer.restartIce()
    else this.#reports.lost()
  }

  /** @param {RTCConfiguration} rtc */
  configure(rtc) {
    if (this.#peer.signalingState !== 'closed') this.#peer.setConfiguration(rtc)
  }

  /** @param {{ description?: RTCSessionDescriptionInit, candidate?: RTCIceCandidateInit | null }} data */
  take(data) {
    this.#turn = this.#turn
      .then(() => (data.description ? this.#described(data.description) : this.#found(data.candidate ?? null)))
      .catch(error => {
        if (this.#peer.signalingState !== 'closed') this.#reports.state(`error: ${error.message}`)
      })
  }

  async #offer() {
    try {
      this.#makingOffer = true
      await this.#peer.setLocalDescription()
      this.#reports.say('description', { description: this.#peer.localDescription })
    } catch (error) {
      if (this.#peer.signalingState !== 'closed') throw error
    } finally {
      this.#makingOffer = false
    }
  }

  /** @param {RTCSessionDescriptionInit} description */
  async #described(description) {
    const ready = !this.#makingOffer && (this.#peer.signalingState === 'stable' || this.#settingAnswer)
    this.#ignoreOffer = !this.#polite && description.type === 'offer' && !ready
    if (this.#ignoreOffer) return
    this.#settingAnswer = description.type === 'answer'
    await this.#peer.setRemoteDescription(description)
    this.#settingAnswer = false
    for (const candidate of this.#early.splice(0)) await this.#found(candidate)
    if (description.type !== 'offer') return
    await this.#peer.setLocalDescription()
    this.#reports.say('description', { description: this.#peer.localDescription })
  }

  /** @param {RTCIceCandidateInit | null} candidate */
  async #found(candidate) {
    if (!this.#peer.remoteDescription) {
      this.#early.push(candidate)
      return
    }
    try {
      await this.#peer.addIceCandidate(candidate ?? undefined)
    } catch (error) {
      if (!this.#ignoreOffer) throw error
    }
  }

  async stats() {
    const all = [...(await this.#peer.getStats()).values()]
    const sum = (/** @type {string} */ type, /** @type {string} */ field) =>
      all.reduce((total, report) => total + (report.type === type ? (report[field] ?? 0) : 0), 0)
    const pair = all.find(
      ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
    )
    const local = all.find(({ id }) => id === pair?.localCandidateId)
    return {
      state: this.#peer.connectionState,
      framesDecoded: sum('inbound-rtp', 'framesDecoded'),
      framesSent: sum('outbound-rtp', 'framesSent'),
      candidateType: local?.candidateType ?? null,
    }
  }

  close() {
    this.#peer.onconnectionstatechange = this.#peer.onicecandidate = this.#peer.onnegotiationneeded = null
    this.#peer.close()
  }
}
