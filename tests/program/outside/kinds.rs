//! A short experiment of each kind, with all the files that grow.

use std::path::Path;

use super::{path_text, write};

/// A short experiment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// Its name.
    pub(crate) name: &'static str,
    text: &'static str,
}

impl Kind {
    /// The arguments that run it to a folder, its file being written to another.
    pub(crate) fn run(&self, root: &Path, out: &Path, more: &[&str]) -> Vec<String> {
        let file = write(root, &format!("{}.toml", self.name), self.text);
        let mut arguments = vec!["run".to_owned(), file, "--out".to_owned(), path_text(out)];
        arguments.extend(more.iter().map(|&flag| flag.to_owned()));
        arguments
    }

    /// That of a name.
    pub(crate) fn named(name: &str) -> Kind {
        *KINDS.iter().find(|kind| kind.name == name).unwrap()
    }
}

/// All kinds.
pub(crate) fn all() -> Vec<Kind> {
    KINDS.to_vec()
}

const KINDS: &[Kind] = &[
    Kind {
        name: "match",
        text: "game = \"three-thirteen\"\nagents = [\"greedy\", \"random\"]\nseed = 1\nblocks = 80\n\
               [outputs]\ngames_csv = true\nrecords = 200\n\
               [[variant]]\nname = \"high\"\nrules = { ace = \"low_or_high\" }\n",
    },
    Kind {
        name: "tournament",
        text: "kind = \"tournament\"\ngame = \"two-ten-jack\"\nagents = [\"greedy\", \"random\", \"greedy:trump=3\"]\n\
               seed = 2\nblocks = 120\n[outputs]\ngames_csv = true\n",
    },
    Kind {
        name: "gauntlet",
        text: "kind = \"gauntlet\"\ngame = \"hearts\"\nagent = \"greedy\"\nopponents = [\"random\", \"greedy:heart=0\"]\n\
               seed = 3\nblocks = 25\n[outputs]\nrecords = \"all\"\nlegal = true\n",
    },
    Kind {
        name: "ladder",
        text: "kind = \"ladder\"\ngame = \"two-ten-jack\"\nagent = \"ismcts\"\nparameter = \"iterations\"\nfrom = 10\n\
               to = 40\nopponent = \"greedy\"\nseed = 4\nblocks = 10\nrules = { deals = 1 }\n[outputs]\ngames_csv = true\nrecords = \"all\"\nnotes = true\n",
    },
    Kind {
        name: "sprt",
        text: "kind = \"sprt\"\ngame = \"two-ten-jack\"\nagents = [\"greedy\", \"greedy:trump=1.5\"]\nseed = 5\nblocks = 300\n\
               sprt = { elo = [0, 2], batch = 40 }\n[outputs]\ngames_csv = true\nrecords = 100\n",
    },
    Kind {
        name: "tune",
        text: "kind = \"tune\"\ngame = \"three-thirteen\"\nagent = \"greedy:pair=0\"\nseed = 6\nblocks = 15\n\
               rules = { rounds = [3, 4] }\n[outputs]\ngames_csv = true\nrecords = 40\n\
               [tune]\niterations = 6\ntest_blocks = 100\nparameters.pair = { min = 0, max = 20, step = 4 }\n",
    },
    Kind {
        name: "halving",
        text: "kind = \"tune\"\ngame = \"two-ten-jack\"\nagent = \"greedy\"\nseed = 7\nblocks = 20\n[outputs]\ngames_csv = true\nrecords = 200\n\
               [tune]\nmethod = \"halving\"\ntest_blocks = 60\n\
               settings = [\"greedy\", \"greedy:trump=0\", \"greedy:trump=3\", \"greedy:trump=6\"]\n",
    },
    Kind {
        name: "sweep",
        text: "kind = \"sweep\"\ngame = \"three-thirteen\"\nplayers = [2, 3]\nseed = 8\nblocks = 40\n\
               rules = { rounds = [3, 4, 5] }\nskill = [\"random\", \"greedy\"]\n[outputs]\nrecords = 3\n\
               [[variant]]\nname = \"high\"\nrules = { ace = \"low_or_high\" }\n",
    },
];
