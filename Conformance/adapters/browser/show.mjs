// What people see of a run: a state, three counts, and the last messages.

const states = {
  connected: "dialed in: Squall drives this page",
  over: "that session is over",
  refused: "not taken",
  alone: "nobody is there: waiting for squall run",
};

export function show(hello) {
  const element = (id) => document.getElementById(id);
  element("client").textContent = `${hello.name} ${hello.version}`;
  const counts = { runs: 0, commands: 0, reports: 0 };
  const count = (name) => {
    counts[name] += 1;
    element(name).textContent = counts[name];
  };
  return (state, detail) => {
    if (state === "command" || state === "report") {
      count(`${state}s`);
      if (detail.do === "configure") count("runs");
      const line = document.createElement("li");
      line.className = state;
      line.textContent = JSON.stringify(detail);
      element("log").prepend(line);
      while (element("log").children.length > 20) element("log").lastChild.remove();
      return;
    }
    element("state").className = state;
    element("state").textContent = states[state] + (detail ? `: ${detail}` : "");
  };
}
