"""The parameters of openCARP that scripts/from_opencarp knows, and a file of them."""
import math
import re

POSITIVE = 5e-324


def table(text):
    return dict(pair.split("=") for pair in text.split())


# Parameters that are translated, with openCARP's defaults.
READ = table("""meshname=project tend=100 dt=5 mass_lumping=1 ode_fac=1 spacedt=3 cg_tol_parab=1e-8
    bidm_eqv_mono=1 cell_length=100 num_stim=2 num_gregions=1 num_imp_regions=1 num_phys_regions=0 num_LATs=0
    gregion[].num_IDs=0 gregion[].ID[]= gregion[].g_il=0.174 gregion[].g_it=0.019 gregion[].g_in=0.019
    gregion[].g_el=0.625 gregion[].g_et=0.236 gregion[].g_en=0.236 gregion[].g_mult=1 imp_region[].num_IDs=0
    imp_region[].ID[]= imp_region[].im=LuoRudy91 imp_region[].im_param= imp_region[].cellSurfVolRatio=0.14
    imp_region[].volFrac=1 phys_region[].num_IDs=0 phys_region[].ID[]= phys_region[].ptype=0
    lats[].measurand=0 lats[].mode=0 lats[].method=1 lats[].threshold=-10 stim[].pulse.strength=0
    stim[].pulse.tau_edge=0.01 stim[].pulse.tau_plateau=1000 stim[].ptcl.start=0 stim[].ptcl.duration=
    stim[].ptcl.npls=1 stim[].ptcl.bcl= stim[].elec.p0[]=0 stim[].elec.p1[]= stim[].elec.radius=100
    stim[].elec.geom_type=2 stim[].x0=0 stim[].y0=0 stim[].z0=0 stim[].xd= stim[].yd= stim[].zd= stim[].ctr_def=0""")
# Parameters of which one value has a counterpart.
ONLY = table("""bidomain=0 experiment=0 parab_solve=1 operator_splitting=1 theta=0.5 par_fac=1 numtagreg=0
    num_adjustments=0 num_external_imp=0 prepacing_beats=0 prepacing_bcl=0 extracell_monodomain_stim=0
    stimactivedelay=0 fluct=0 start_statef= gi_scale_vec= ge_scale_vec= rt_lib= imp_region[].plugins=
    imp_region[].plug_param= imp_region[].im_sv_init= stim[].crct.type=0 stim[].crct.total_current=0
    stim[].crct.balance=-1 stim[].elec.vtx_file= stim[].elec.vtx_fcn=0 stim[].elec.geomID=-1
    stim[].elec.domain=1 stim[].ptcl.stimlist= stim[].pulse.file= stim[].pulse.shape=1 stim[].pulse.bias=0
    stim[].pulse.d1=1 stim[].data_file=""")
WHY = {"bidomain": ", which has no potential between cells",
       "parab_solve": ", whose scheme 'strang' is the one of Crank and Nicolson",
       "stim[].crct.type": ", whose stimuli are transmembrane currents",
       "stim[].elec.vtx_file": ", whose stimuli are boxes and spheres, since the mesh has no sets of nodes",
       "imp_region[].im_sv_init": ", whose cells begin in the state of their text"}
LEFT_OUT = re.compile(r"""simID|vofile|buildinfo|num_(io_nodes|tsav|trace|gvecs)|display_meminfo|spacetol|timedt|ppID|
    tracedt|trace_node\[\]|post_processing_opts|retagfile|meshformat|mesh_statistics|cv_scale_vec|rseed|device_id|flavor|
    ginkgo_exec|cg_(\w+_ellip|precond|(maxit|norm)_parab)|parab_(use_pt|options_file)|vm_per_phie|mat_entries_per_row|
    state_dump_buffer|shrimp_pipe|queue_time|write_statef|LAT_ID\[\]|compute_APD|actthresh|recovery_thresh|\w*sentinel\w*|
    prepacing_(lats|stim\w+)|rt_lib_args|external_imp\[\]|lats\[\]\.(ID|all)|(gregion|imp_region)\[\]\.dream\..*|
    (gregion|imp_region|phys_region|stim)\[\]\.name|gregion\[\]\.g_bath|imp_region\[\]\.\w+_sv_dumps|
    stim\[\]\.((ptcl|pulse)\.name|(pulse\.)?(freq|phase|trig|s2)|(elec\.)?dump_vtx_file)|
    (phie|output_|gridout_|dataout_|dump|orth|gvec\[|pstrat|ellip_|floating_ground|chkpt_|tsav|dream\.|tagreg|adjustment).*""",
                      re.VERBOSE)
COUNTERS = table("stim=num_stim gregion=num_gregions lats=num_LATs imp_region=num_imp_regions phys_region=num_phys_regions")


class Mistake(Exception):
    """A place and a sentence that end the script."""


def pattern_of(name):
    return re.sub(r"\[\d+\]", "[]", name)


def number(value):
    return f"{value:.10g}"


class Par:
    """Parameters of openCARP by name, each with its value, its place and its name there; notes, and
    the defaults that were taken."""

    def __init__(self, path, settings):
        self.path, self.entries, self.notes, self.defaults, families = path, {}, [], {}, {}
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [(f"{path}:{n}", line.split("#")[0].strip()) for n, line in enumerate(file, 1)]
        for place, line in lines + [(f"-s {setting}", setting) for setting in settings]:
            found = re.fullmatch(r"(\w+(?:\[\d+\])?(?:\.\w+(?:\[\d+\])?)*)(?:\s*=\s*|\s+)(\"[^\"]*\"|[^\s=\"][^\"]*)", line)
            if found:
                families[found[1].split("[")[0]] = place
                self.add(found[1], found[2].strip('"').strip(), place)
            if line and not found:
                raise Mistake(f"{place}: {line[:60]!r} is no line 'name = value' of openCARP.")
            if found and "=" in found[2] and '"' not in found[2]:
                raise Mistake(f"{place}: '{found[2]}' needs quotes, since openCARP leaves out what follows '='.")
        if not self.entries:
            raise Mistake(f"{path}: The file has no parameters.")
        if {"stim", "stimulus"} <= families.keys():
            raise Mistake(f"{families['stimulus']}: Beside 'stim[]' openCARP leaves out 'stimulus[]'; one of both is legal.")
        self.check()

    def add(self, written, value, place):
        """Keeps a value; 'stimulus[]' has the modern name, and the parts of an array have numbers."""
        old = re.fullmatch(r"stimulus(\[\d+\])\.(\w+)", written)
        end = old and "." + {"stimtype": "type", "geometry": "geomID", "pulse_file": "file"}.get(old[2], old[2])
        name = next((known.replace("[]", old[1], 1) for known in [*READ, *ONLY] if known[:6] + end == "stim[]" + known[
            -len(end):]), f"stim{old[1]}.{old[2]}") if old else written
        parts = enumerate(value.replace(",", " ").split()) if re.search(r"\.(ID|p[01])$", name) else []
        self.entries.update({f"{name}[{i}]": (part, place, written) for i, part in parts} or {name: (value, place, written)})

    def check(self):
        """Refuses what is not known or has no counterpart; notes what is left out."""
        left_out = []
        for name, (value, place, written) in self.entries.items():
            pattern, (family, index) = pattern_of(name), re.match(r"(\w+)(?:\[(\d+)\])?", name).groups()
            if index and family in COUNTERS and int(index) >= self.integer(COUNTERS[family]):
                self.fail(name, f"'{written}' is one too many; {COUNTERS[family]} is {self.integer(COUNTERS[family])}.")
            if pattern in ONLY:
                legal = ONLY[pattern]
                silent = family == "stim" and pattern != "stim[].crct.type" and self.real(f"stim[{index}].pulse.strength") == 0
                if not silent and (self.real(name) != float(legal) if legal else value):
                    self.fail(name, f"'{written} = {value}' has no counterpart in monodomain{WHY.get(pattern, '')}; "
                              f"""legal is {legal or '""'}.""")
            elif LEFT_OUT.fullmatch(pattern):
                left_out.append(f"{written} ({place.rsplit(':')[-1]})")
            elif pattern not in READ:
                self.fail(name, f"'{written}' is no parameter of openCARP that this script knows.")
        if left_out:
            self.notes.append(f"left out, since no wave depends on it, with its line: {', '.join(left_out)}.")

    def fail(self, name, sentence):
        raise Mistake(f"{self.entries[name][1] if name in self.entries else self.path}: {sentence}")

    def text(self, name, default=None):
        if name not in self.entries:
            self.defaults[name] = READ[pattern_of(name)] if default is None else number(default)
        return self.entries[name][0] if name in self.entries else self.defaults[name]

    def real(self, name, least=None, default=None):
        text = self.text(name, default)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or least is not None and value < least:
            limit = "" if least is None else " above 0" if least == POSITIVE else f" from {least} on"
            self.fail(name, f"'{self.entries.get(name, (0, 0, name))[2]}' is '{text}'; legal are numbers{limit}.")
        return value

    def integer(self, name, least=0):
        if self.real(name, least) % 1:
            self.fail(name, f"'{name}' is '{self.text(name)}'; legal are whole numbers.")
        return int(self.real(name))

    def family(self, family):
        return [f"{family}[{k}]." for k in range(self.integer(COUNTERS[family]))]

    def entry(self, key, name, least=None, scale=1.):
        """Returns an entry of a .prm."""
        return key, number(scale * self.real(name, least)), self.remark(name)

    def remark(self, name):
        return "" if name in self.entries else "openCARP's default"
