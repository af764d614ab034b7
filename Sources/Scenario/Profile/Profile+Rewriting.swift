extension Profile {
    /// The same scenario with what is to be expected of a client of this profile.
    ///
    /// Pure. What cannot be computed exactly leaves the scenario out, with the reason.
    package func rewriting(_ planned: PlannedScenario) -> PlannedScenario {
        planned
    }
}
