/** The editor's mark: dots below a line, "let it stand". */
export function Logo() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-8 shrink-0 rounded-lg bg-primary">
      <path d="M8 12.5h16" className="stroke-on-primary" strokeWidth="3.2" strokeLinecap="round" />
      <g className="fill-accent">
        <circle cx="9.5" cy="20.5" r="2.1" />
        <circle cx="16" cy="20.5" r="2.1" />
        <circle cx="22.5" cy="20.5" r="2.1" />
      </g>
    </svg>
  );
}
