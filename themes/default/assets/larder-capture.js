// @ts-check
/** Sources of a broadcast: screen, camera and a test pattern. */

/**
 * @param {string} source `screen`, `camera` or `pattern`
 * @param {{ camera?: string, microphone?: string }} [devices] IDs of devices; those of the browser by default
 */
export async function capture(source, { camera = '', microphone = '' } = {}) {
  if (source === 'pattern') return testPattern()
  if (!navigator.mediaDevices) throw new DOMException('', 'SecurityError')
  if (source === 'screen') return navigator.mediaDevices.getDisplayMedia({ video: { frameRate: 30 }, audio: true })
  const known = await navigator.mediaDevices.enumerateDevices()
  const request = (/** @type {string} */ kind, /** @type {string} */ id) =>
    known.some(device => device.kind === kind) && (id === '' || { deviceId: { exact: id } })
  const [video, audio] = [request('videoinput', camera), request('audioinput', microphone)]
  if (!video && !audio) throw new DOMException('', 'NotFoundError')
  return navigator.mediaDevices.getUserMedia({ video, audio })
}

/** The devices of a kind. They have names once the page may use one. @param {MediaDeviceKind} kind */
export const devicesOf = async kind =>
  (await navigator.mediaDevices.enumerateDevices()).filter(device => device.kind === kind && device.deviceId !== '')

const METER_MS = 100
/**
 * Shows how loud the sound of a capture is, until its track ends. Returns a function that stops it.
 * @param {MediaStream} media
 * @param {HTMLMeterElement} meter from 0 to 1
 */
export function showLevel(media, meter) {
  const [track] = media.getAudioTracks()
  if (!track) return () => {}
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  const samples = new Float32Array(analyser.fftSize)
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    // From -60 dB, which is silence, to 0.
    meter.value = Math.min(1, Math.max(0, 1 + Math.log10(Math.sqrt(power) || 1e-9) / 3))
  }, METER_MS)
  return () => {
    clearInterval(timer)
    meter.value = 0
    void context.close()
  }
}

/** Stops the capture that the video shows. @param {HTMLVideoElement} video */
export function release(video) {
  if (video.srcObject instanceof MediaStream) for (const track of video.srcObject.getTracks()) track.stop()
  video.srcObject = null
}

/** Color bars, a rotating hand and the time, at 30 frames per second. */
function testPattern() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 })
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  const bars = ['#fff', '#ff0', '#0ff', '#0f0', '#f0f', '#f00', '#00f']
  const draw = () => {
    for (const [index, color] of bars.entries()) {
      context.fillStyle = color
      context.fillRect((index * 640) / bars.length, 0, 640 / bars.length + 1, 360)
    }
    const angle = (performance.now() / 1000) * Math.PI
    context.lineWidth = 6
    context.beginPath()
    context.moveTo(320, 150)
    context.lineTo(320 + 110 * Math.cos(angle), 150 + 110 * Math.sin(angle))
    context.stroke()
    context.fillStyle = '#000'
    context.fillRect(0, 300, 640, 60)
    context.fillStyle = '#fff'
    context.font = '32px monospace'
    context.fillText(new Date().toISOString(), 90, 342)
  }
  draw()
  const media = canvas.captureStream(30)
  const timer = setInterval(() => {
    if (media.getVideoTracks().some(track => track.readyState === 'live')) draw()
    else clearInterval(timer)
  }, 33)
  return media
}
