using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>What the programs refuse about the choice of clients and their checkpoint store.</summary>
public sealed class OfficialInputTests
{
    private const string Absent = "only in a build with -p:OfficialPackages=true. Known in this build: ";
    private const string Strategies =
        "baseline, inloop, outloop, combined, foreachasync, pipelined, keyed, keyed-shards, batched, adaptive, whenall, published, functions";

    [Theory]
    [InlineData("consumer", "--clients=sdk", "error: --clients 'sdk': unknown. Known: official, builtin")]
    [InlineData("consumer", "supervise --clients=blobs:official", "error: --clients 'blobs:official': unknown. Known: official, builtin")]
    [InlineData("sender", "--clients=sdk", "error: --clients 'sdk': unknown. Known: official, builtin")]
    public Task Unknown_clients_are_refused_with_the_known_ones(string program, string arguments, string expected) =>
        BadInputTableTests.AssertRefusedAsync(new BadInputRow("unknown clients", program, arguments, expected));

    [Theory]
    [InlineData("--strategy=outloop-dasync", $"error: --strategy outloop-dasync: {Absent}{Strategies}")]
    [InlineData("--strategy=combined-dasync", $"error: --strategy combined-dasync: {Absent}{Strategies}")]
    [InlineData("--no-fencing --checkpoint-store=package", $"error: --checkpoint-store package: {Absent}own")]
    [InlineData("supervise --no-fencing --checkpoint-store=package", $"error: --checkpoint-store package: {Absent}own")]
    public Task Names_of_absent_packages_are_refused_with_the_switch_that_adds_them(string arguments, string expected) =>
        BadInputTableTests.AssertRefusedAsync(new BadInputRow("only in a build with", "consumer", arguments, expected));

    [Theory]
    [InlineData("consumer")]
    [InlineData("sender")]
    public Task Connection_string_without_a_key_is_refused_before_the_packages_see_it(string program) =>
        BadInputTableTests.AssertRefusedAsync(
            new BadInputRow("no key", program, "", "error: EVENTHUB_CONNECTION_STRING: 'SharedAccessKey' missing*")
            {
                Settings = new Dictionary<string, string?> { ["EVENTHUB_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1;SharedAccessKeyName=x" },
            }
        );
}
