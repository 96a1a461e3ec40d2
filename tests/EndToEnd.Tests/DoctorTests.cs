using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The checks of the services, on a foreign namespace: with TLS and a separate certificate, with keys and with Entra ID.</summary>
public sealed class DoctorTests
{
    private const string Unauthorized = """ "do": "refuse", "reason": "unauthorized" """;
    private const string Forbidden = """ "do": "refuse", "reason": "forbidden" """;

    // What is refused, and the beginning and the end of the line that reports it.
    private static readonly (string Fault, string Subject, string Right)[] Missing =
    [
        ($$"""{ "name": "a", "at": "hubManagement", "entity": "hub", {{Unauthorized}} }""", "event hub", "needs the right Listen on event hub 'hub'"),
        (
            $$"""{ "name": "b", "at": "attach", "partition": "2", {{Unauthorized}} }""",
            "partitions  2 in the consumer group '$Default'",
            "needs the right Listen on event hub 'hub'"
        ),
        ($$"""{ "name": "c", "at": "attach", "entity": "queue", {{Unauthorized}} }""", "queue", "needs the right Send on queue 'queue'"),
        ($$"""{ "name": "d", "at": "blobList", "entity": "archive", {{Forbidden}} }""", "container", "needs the right to list blobs on container 'archive'"),
        (
            $$"""{ "name": "e", "at": "blobDelete", "entity": "archive", {{Forbidden}} }""",
            "container",
            "needs the right to delete blobs on container 'archive'"
        ),
        (
            $$"""{ "name": "f", "at": "blobWrite", "entity": "checkpoints", {{Forbidden}} }""",
            "container",
            "needs the right to write blobs on container 'checkpoints'"
        ),
        (
            $$"""{ "name": "g", "at": "blobRead", "entity": "deadletters", {{Forbidden}} }""",
            "container",
            "needs the right to read blobs on container 'deadletters'"
        ),
    ];

    [Theory]
    [EachFamily]
    public async Task Services_that_a_consumer_can_use_end_the_checks_with_0_and_nothing_is_left(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var space = await TlsNamespace.StartAsync("", identity: null, cancellationToken);

        var checks = await Programs.ConsumerAsync($"doctor --clients={clients}", space.KeySettings, cancellationToken);

        Assert.Equal((0, ""), (checks.ExitCode, checks.Error));
        Assert.DoesNotContain("failed", checks.Output, StringComparison.Ordinal);
        Assert.Contains("\nok       TLS         ", checks.Output, StringComparison.Ordinal);
        Assert.Contains("\nok       partitions  4 of 4 can be read by the consumer group '$Default'\n", checks.Output, StringComparison.Ordinal);
        Assert.Contains("\nok       queue       'queue' takes messages, in batches of at most 262,144 bytes\n", checks.Output, StringComparison.Ordinal);
        Assert.Contains("\nok       clock ", checks.Output, StringComparison.Ordinal);
        Assert.Equal((0, 0), await space.CountAsync(cancellationToken));
    }

    [Theory]
    [EachFamily]
    public async Task Each_right_that_is_missing_is_named_with_exit_code_4_and_nothing_is_left(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var space = await TlsNamespace.StartAsync("", identity: null, cancellationToken);
        foreach (var (fault, subject, right) in Missing)
        {
            await space.UseFaultsAsync([fault], cancellationToken);

            var checks = await Programs.ConsumerAsync($"doctor --clients={clients}", space.KeySettings, cancellationToken);

            var failed = GetFailed(checks);
            Assert.Equal(4, checks.ExitCode);
            Assert.StartsWith($"failed   {subject}", failed, StringComparison.Ordinal);
            Assert.Contains($"{right}. Cure: ", failed, StringComparison.Ordinal);
            Assert.Equal((0, 0), await space.CountAsync(cancellationToken));
        }
    }

    [Theory]
    [EachFamily]
    public async Task Policies_with_the_one_right_that_a_service_needs_suffice_and_others_are_named(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var space = await TlsNamespace.StartAsync("--policies reader=Listen,writer=Send", identity: null, cancellationToken);

        var checks = await Programs.ConsumerAsync($"doctor --clients={clients}", space.WithPolicies("reader", "writer"), cancellationToken);
        var swapped = await Programs.ConsumerAsync($"doctor --clients={clients}", space.WithPolicies("writer", "reader"), cancellationToken);

        Assert.True(checks.ExitCode == 0, checks.Output);
        Assert.Equal(4, swapped.ExitCode);
        var failed = swapped.Output.Split('\n').Where(static line => line.StartsWith("failed", StringComparison.Ordinal)).ToList();
        Assert.Equal(2, failed.Count);
        Assert.Contains("Cure: give the policy 'writer' the right Listen on event hub 'hub'", failed[0], StringComparison.Ordinal);
        Assert.Contains("Cure: give the policy 'reader' the right Send on queue 'queue'", failed[1], StringComparison.Ordinal);
        Assert.Equal((0, 0), await space.CountAsync(cancellationToken));
    }

    [Theory]
    [EachFamily]
    public async Task Busy_services_are_asked_again_and_reported_when_they_stay_busy(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var space = await TlsNamespace.StartAsync("", identity: null, cancellationToken);
        string[] faults =
        [
            """{ "name": "a", "at": "attach", "entity": "queue", "do": "refuse", "reason": "busy", "limit": 1 }""",
            """{ "name": "b", "at": "blobWrite", "do": "refuse", "reason": "busy", "limit": 1 }""",
        ];
        await space.UseFaultsAsync(faults, cancellationToken);
        var once = await Programs.ConsumerAsync($"doctor --clients={clients} --timeout=30s", space.KeySettings, cancellationToken);
        await space.UseFaultsAsync(faults.Select(static fault => fault.Replace(", \"limit\": 1", "", StringComparison.Ordinal)), cancellationToken);
        var always = await Programs.ConsumerAsync($"doctor --clients={clients} --timeout=6s", space.KeySettings, cancellationToken);

        Assert.True(once.ExitCode == 0, once.Output);
        Assert.Equal(4, always.ExitCode);
        var failed = always.Output.Split('\n').Where(static line => line.StartsWith("failed", StringComparison.Ordinal)).ToList();
        Assert.Equal(["failed   queue", "failed   container", "failed   container", "failed   container"], failed.Select(static line => line[..21].TrimEnd()));
        Assert.All(failed, static line => Assert.Contains(". Cure: try again", line, StringComparison.Ordinal));
        Assert.Equal((0, 0), await space.CountAsync(cancellationToken));
    }

    [Fact]
    public async Task A_connection_of_the_official_clients_without_an_answer_is_made_again_within_the_time()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var space = await TlsNamespace.StartAsync("", identity: null, cancellationToken);
        // The first two are those of the checks of both endpoints.
        await space.UseFaultsAsync(["""{ "name": "a", "at": "connect", "do": "blackHole", "nth": 3 }"""], cancellationToken);

        var checks = await Programs.ConsumerAsync("doctor --timeout=30s", space.KeySettings, cancellationToken);

        Assert.True(checks.ExitCode == 0, checks.Output + checks.Error);
        Assert.Contains("\nok       event hub   'hub' has 4 partitions", checks.Output, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task An_answer_that_does_not_come_ends_one_check_after_the_time(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var space = await TlsNamespace.StartAsync("", identity: null, cancellationToken);
        await space.UseFaultsAsync(["""{ "name": "a", "at": "hubManagement", "do": "blackHole" }"""], cancellationToken);

        var checks = await Programs.ConsumerAsync($"doctor --clients={clients} --timeout=10s", space.KeySettings, cancellationToken);

        Assert.Equal(4, checks.ExitCode);
        Assert.StartsWith("failed   event hub ", GetFailed(checks), StringComparison.Ordinal);
        Assert.Contains("\nskipped  partitions  they are not known\n", checks.Output, StringComparison.Ordinal);
        Assert.Contains("\nok       queue ", checks.Output, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task A_certificate_that_this_machine_does_not_trust_is_reported_once_for_each_endpoint(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var space = await TlsNamespace.StartAsync("", identity: null, cancellationToken);
        var settings = space.KeySettings.Where(static one => one.Key != "SSL_CERT_FILE").ToDictionary();

        var checks = await Programs.ConsumerAsync($"doctor --clients={clients}", settings, cancellationToken);

        Assert.Equal(4, checks.ExitCode);
        var failed = checks.Output.Split('\n').Where(static line => line.StartsWith("failed", StringComparison.Ordinal)).ToList();
        Assert.Equal(2, failed.Count);
        Assert.All(failed, static line => Assert.Matches("^failed   TLS         .*the certificate is not trusted .*Cure: let this machine trust", line));
        Assert.Equal(5, checks.Output.Split('\n').Count(static line => line.EndsWith(": no connection", StringComparison.Ordinal)));
    }

    [Theory]
    [EachFamily]
    public async Task A_wrong_key_is_reported_for_its_service_and_not_shown(string clients)
    {
        const string wrong = "V1JPTkdXUk9OR1dST05HV1JPTkdXUk9OR1dST05HV1JP";
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var space = await TlsNamespace.StartAsync("", identity: null, cancellationToken);
        var messaging = space.KeySettings["SERVICEBUS_CONNECTION_STRING"];
        var settings = new Dictionary<string, string>(space.KeySettings)
        {
            ["SERVICEBUS_CONNECTION_STRING"] = string.Concat(messaging.AsSpan(0, messaging.IndexOf("Key=", StringComparison.Ordinal)), "Key=", wrong),
        };

        var checks = await Programs.ConsumerAsync($"doctor --clients={clients}", settings, cancellationToken);

        Assert.Equal(4, checks.ExitCode);
        Assert.Contains(
            "Cure: give the policy 'RootManageSharedAccessKey' the right Send on queue 'queue'. If it has it, copy its key again",
            GetFailed(checks),
            StringComparison.Ordinal
        );
        Assert.DoesNotContain(wrong[..8], checks.Output + checks.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tokens_of_Entra_ID_are_requested_and_used_for_each_service()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var identity = await IdentityEndpoint.StartAsync(refuses: false, cancellationToken);
        await using var space = await TlsNamespace.StartAsync("--allow-anonymous", identity, cancellationToken);

        var checks = await Programs.ConsumerAsync("doctor", space.Settings, cancellationToken);

        Assert.True(checks.ExitCode == 0, checks.Output + checks.Error);
        Assert.All(
            (string[])["event hubs", "service bus", "storage"],
            service => Assert.Contains($"\nok       token       {service}: of Entra ID, until ", checks.Output, StringComparison.Ordinal)
        );
        Assert.DoesNotContain(IdentityEndpoint.Canary, checks.Output + checks.Error, StringComparison.Ordinal);
        Assert.Equal((0, 0), await space.CountAsync(cancellationToken));
    }

    [Fact]
    public async Task An_identity_without_a_role_gets_the_name_of_the_role_for_each_service()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var identity = await IdentityEndpoint.StartAsync(refuses: false, cancellationToken);
        await using var space = await TlsNamespace.StartAsync("", identity, cancellationToken);

        var checks = await Programs.ConsumerAsync("doctor", space.Settings, cancellationToken);

        Assert.Equal(4, checks.ExitCode);
        Assert.Contains(
            "needs the right Listen on event hub 'hub'. Cure: assign the role 'Azure Event Hubs Data Receiver' on event hub 'hub'",
            checks.Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "needs the right Send on queue 'queue'. Cure: assign the role 'Azure Service Bus Data Sender' on queue 'queue'",
            checks.Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "container 'archive'. Cure: assign the role 'Storage Blob Data Contributor' on container 'archive'",
            checks.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_token_that_is_not_given_is_the_only_failure_of_its_service()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var identity = await IdentityEndpoint.StartAsync(refuses: true, cancellationToken);
        await using var space = await TlsNamespace.StartAsync("", identity, cancellationToken);

        var checks = await Programs.ConsumerAsync("doctor", space.WithoutKey("SERVICEBUS"), cancellationToken);

        Assert.Equal(4, checks.ExitCode);
        Assert.StartsWith("failed   token       no Entra ID token for service bus. Cure: sign in", GetFailed(checks), StringComparison.Ordinal);
        Assert.Contains("\nskipped  queue       'queue': no token\n", checks.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(IdentityEndpoint.Canary, checks.Output + checks.Error, StringComparison.Ordinal);
    }

    private static string GetFailed(FinishedProcess checks) =>
        Assert.Single(checks.Output.Split('\n'), static line => line.StartsWith("failed", StringComparison.Ordinal));
}
