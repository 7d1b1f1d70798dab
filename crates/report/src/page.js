"use strict";
// Bands, rows and a threshold to move: the same curve as the page was written with, for other numbers.
for (const control of document.querySelectorAll(".control")) {
  const SEGMENTS = 200, SLICES = 2000;
  const form = control.querySelector("form");
  const now = {
    bands: +control.dataset.bands,
    rows: +control.dataset.rows,
    threshold: +control.dataset.threshold,
  };
  const distinct = +control.dataset.distinct;
  const band = (t) => {
    if (!distinct) return Math.pow(t, now.rows);
    let all = 1;
    for (let i = 0; i < now.rows; i++) all *= Math.max(0, distinct * t - i) / (distinct - i);
    return all;
  };
  const probability = (t) => -Math.expm1(now.bands * Math.log1p(-band(t)));
  const rule = () => Math.pow(1 / now.bands, 1 / now.rows);
  const place = (x) => String(Math.floor(x * 100 + 0.5) / 100);
  const integral = (from, to) => {
    const step = (to - from) / SLICES;
    let sum = (probability(from) + probability(to)) / 2;
    for (let i = 1; i < SLICES; i++) sum += probability(from + step * i);
    return step * sum;
  };

  const draw = (svg) => {
    const [left, right, top, bottom] = svg.dataset.plot.split(" ").map(Number);
    const x = (t) => place(left + t * (right - left));
    const y = (p) => place(bottom - p * (bottom - top));
    const path = (ts) => ts.map((t, i) => (i ? "L" : "M") + x(t) + " " + y(probability(t))).join("");
    const all = Array.from({ length: SEGMENTS + 1 }, (_, i) => i / SEGMENTS);
    const t = now.threshold;
    const set = (part, d) => svg.querySelector(part).setAttribute("d", d);
    set('[data-series="0"]', path(all));
    const corner = (t, p) => "L" + x(t) + " " + y(p);
    set('[data-series="1"]', "M" + x(0) + " " + y(0) + corner(t, 0) + corner(t, 1) + corner(1, 1) + corner(1, 1));
    const below = all.filter((one) => one < t).concat(t);
    set('[data-area="0"]', path(below) + "L" + x(t) + " " + y(0) + "L" + x(0) + " " + y(0) + "Z");
    const above = [t].concat(all.filter((one) => one > t));
    set('[data-area="1"]', path(above) + "L" + x(1) + " " + y(1) + "L" + x(t) + " " + y(1) + "Z");
    for (const [i, at] of [t, rule()].entries()) {
      const label = svg.querySelector(`[data-label="${i}"]`);
      const line = svg.querySelector(`[data-marker="${i}"]`);
      const half = +label.dataset.half;
      const width = svg.viewBox.baseVal.width;
      line.setAttribute("d", line.getAttribute("d").replace(/^M[^ ]+/, "M" + x(at)));
      label.setAttribute("x", place(Math.max(half, Math.min(width - half, +x(at)))));
    }
  };

  const show = () => {
    const t = now.threshold;
    const values = {
      functions: String(now.bands * now.rows),
      rule: rule().toFixed(4),
      at: probability(t).toFixed(4),
      positives: integral(0, t).toFixed(4),
      negatives: (1 - t - integral(t, 1)).toFixed(4),
    };
    for (const [name, value] of Object.entries(values)) {
      control.querySelector(`[data-value="${name}"]`).textContent = value;
    }
    control.querySelectorAll("svg").forEach(draw);
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    const value = target.valueAsNumber;
    const { name } = target.dataset;
    if (!(value >= +target.min && value <= +target.max)) return;
    if (name !== "threshold" && !Number.isInteger(value)) return;
    now[name] = value;
    for (const input of form.querySelectorAll(`[data-name="${name}"]`)) {
      if (input !== target) input.value = value;
    }
    show();
  });
  form.hidden = false;
}

// Whoever follows a link to a folded section wants to see it.
const unfold = () => {
  const details = document.getElementById(location.hash.slice(1))?.querySelector("details");
  if (details) details.open = true;
};
addEventListener("hashchange", unfold);
unfold();
