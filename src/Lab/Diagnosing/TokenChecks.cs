using System.Globalization;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>Checks whether the identity of the process gets an Entra ID token for a service.</summary>
/// <param name="settings">The services.</param>
/// <param name="probe">Requests the tokens.</param>
/// <param name="limit">The time of each wait.</param>
internal sealed class TokenChecks(MessagingSettings settings, IAccessProbe probe, CheckLimit limit)
{
    private const string Subject = "token";
    private const string Cure = "sign in (az login), or set the variables of a service principal, a workload or managed identity";

    public async Task<CheckResult> RunAsync(ProbedService service, CancellationToken cancellationToken)
    {
        var name = ServiceEndpoint.GetName(service);
        try
        {
            return await limit.RunAsync(token => probe.RequestTokenAsync(service, token), cancellationToken) is { } expiry
                ? CheckResult.Ok(Subject, string.Create(CultureInfo.InvariantCulture, $"{name}: of Entra ID, until {expiry.UtcDateTime:HH:mm:ss} UTC"))
                : CheckResult.Skipped(Subject, $"{name}: {GetKey(service)} signs on this machine, and the service checks it below");
        }
        catch (MessagingException failure)
        {
            return CheckResult.Failed(Subject, failure.Kind == FailureKind.Unauthorized ? failure.Message : $"{name}: {failure.Message}", Cure);
        }
    }

    private string GetKey(ProbedService service) =>
        $"the key {(service == ProbedService.Storage ? "of the account " : "")}'{settings.GetAddress(service).KeyName}'";
}
