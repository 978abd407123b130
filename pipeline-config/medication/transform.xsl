<?xml version="1.0" encoding="UTF-8"?>
<!-- Medication to one Medication fact, with one nested Fill per fill. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:Medication">
    <Models>
      <Model name="Medication">
        <Field name="drugName_identifier"><xsl:value-of select="normalize-space(d:name/@value)"/></Field>
        <Field name="drugName_title"><xsl:value-of select="normalize-space(d:name)"/></Field>
        <Field name="drugName_system"><xsl:apply-templates select="d:name/@type"/></Field>
        <Field name="startDate"><xsl:value-of select="substring(normalize-space(d:dateStarted), 1, 10)"/></Field>
        <Field name="endDate"><xsl:value-of select="substring(normalize-space(d:dateStopped), 1, 10)"/></Field>
        <xsl:apply-templates select="d:frequency"/>
        <xsl:for-each select="d:dose">
          <xsl:call-template name="amount"><xsl:with-param name="prefix" select="'quantity'"/></xsl:call-template>
        </xsl:for-each>
        <Field name="instructions"><xsl:value-of select="normalize-space(d:prescription/d:instructions)"/></Field>
        <xsl:for-each select="d:provenance">
          <xsl:call-template name="listed">
            <xsl:with-param name="prefix" select="'provenance'"/>
            <xsl:with-param name="list" select="'http://smartplatforms.org/terms/codes/MedicationProvenance#'"/>
          </xsl:call-template>
        </xsl:for-each>
        <Field name="reasonStopped_title"><xsl:value-of select="substring(normalize-space(d:reasonStopped), 1, 255)"/></Field>
        <xsl:if test="d:fill">
          <Field name="fulfillments"><Models><xsl:apply-templates select="d:fill"/></Models></Field>
        </xsl:if>
      </Model>
    </Models>
  </xsl:template>

  <!-- The known names of RxNorm; another system passes unchanged. -->
  <xsl:template match="d:name/@type">
    <xsl:variable name="uri" select="normalize-space()"/>
    <xsl:choose>
      <xsl:when test="$uri = 'http://www.nlm.nih.gov/research/umls/rxnorm'
                   or $uri = 'http://www.nlm.nih.gov/research/umls/rxnorm/'
                   or $uri = 'http://rxnav.nlm.nih.gov/REST/rxcui/'
                   or $uri = 'http://purl.bioontology.org/ontology/RXNORM'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.88'
                   or $uri = '2.16.840.1.113883.6.88'">http://purl.bioontology.org/ontology/RXNORM/</xsl:when>
      <xsl:otherwise><xsl:value-of select="$uri"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- 2/d becomes the value 2 and the unit /d. -->
  <xsl:template match="d:frequency[@type = 'http://unitsofmeasure.org' or @type = 'urn:oid:2.16.840.1.113883.6.8'][substring-before(@value, '/')]">
    <Field name="frequency_value"><xsl:value-of select="normalize-space(substring-before(@value, '/'))"/></Field>
    <Field name="frequency_unit">/<xsl:value-of select="normalize-space(substring-after(@value, '/'))"/></Field>
  </xsl:template>

  <xsl:template match="d:frequency">
    <Field name="frequency_value"><xsl:value-of select="normalize-space()"/></Field>
  </xsl:template>

  <xsl:template match="d:fill">
    <Model name="Fill">
      <Field name="date"><xsl:value-of select="normalize-space(d:date)"/></Field>
      <Field name="dispenseDaysSupply"><xsl:value-of select="normalize-space(d:dispenseDaysSupply)"/></Field>
      <Field name="pbm"><xsl:value-of select="normalize-space(d:pbm)"/></Field>
      <xsl:apply-templates select="d:pharmacy | d:provider"/>
      <xsl:for-each select="d:quantityDispensed">
        <xsl:call-template name="amount"><xsl:with-param name="prefix" select="'quantityDispensed'"/></xsl:call-template>
      </xsl:for-each>
    </Model>
  </xsl:template>

  <xsl:template match="d:pharmacy">
    <Field name="pharmacy_ncpdpid"><xsl:value-of select="normalize-space(d:ncpdpId)"/></Field>
    <Field name="pharmacy_org"><xsl:value-of select="normalize-space(d:name)"/></Field>
    <xsl:for-each select="d:address">
      <xsl:call-template name="address"><xsl:with-param name="prefix" select="'pharmacy_adr'"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="d:provider">
    <xsl:for-each select="d:name">
      <xsl:call-template name="person"><xsl:with-param name="prefix" select="'provider_name'"/></xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:telephone">
      <xsl:variable name="prefix" select="concat('provider_tel_', position())"/>
      <Field name="{$prefix}_type"><xsl:value-of select="normalize-space(d:type)"/></Field>
      <Field name="{$prefix}_number"><xsl:value-of select="normalize-space(d:number)"/></Field>
      <Field name="{$prefix}_preferred_p"><xsl:value-of select="normalize-space(d:preferred) = 'true' or normalize-space(d:preferred) = '1'"/></Field>
    </xsl:for-each>
    <xsl:for-each select="d:address">
      <xsl:call-template name="address"><xsl:with-param name="prefix" select="'provider_adr'"/></xsl:call-template>
    </xsl:for-each>
    <Field name="provider_email"><xsl:value-of select="normalize-space(d:email)"/></Field>
    <Field name="provider_bday"><xsl:value-of select="substring(normalize-space(d:dateOfBirth), 1, 10)"/></Field>
    <Field name="provider_gender"><xsl:value-of select="substring(normalize-space(d:gender), 1, 1)"/></Field>
    <Field name="provider_ethnicity"><xsl:value-of select="normalize-space(d:ethnicity)"/></Field>
    <Field name="provider_preferred_language"><xsl:value-of select="normalize-space(d:preferredLanguage)"/></Field>
    <Field name="provider_race"><xsl:value-of select="normalize-space(d:race)"/></Field>
    <Field name="provider_dea_number"><xsl:value-of select="normalize-space(d:deaNumber)"/></Field>
    <Field name="provider_npi_number"><xsl:value-of select="normalize-space(d:npiNumber)"/></Field>
  </xsl:template>

  <xsl:template name="person">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_family"><xsl:value-of select="normalize-space(d:familyName)"/></Field>
    <Field name="{$prefix}_given"><xsl:value-of select="normalize-space(d:givenName)"/></Field>
    <Field name="{$prefix}_middle"><xsl:value-of select="normalize-space(d:middleName)"/></Field>
    <Field name="{$prefix}_prefix"><xsl:value-of select="normalize-space(d:prefix)"/></Field>
    <Field name="{$prefix}_suffix"><xsl:value-of select="normalize-space(d:suffix)"/></Field>
  </xsl:template>

  <xsl:template name="address">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_country"><xsl:value-of select="normalize-space(d:country)"/></Field>
    <Field name="{$prefix}_city"><xsl:value-of select="normalize-space(d:city)"/></Field>
    <Field name="{$prefix}_postalcode"><xsl:value-of select="normalize-space(d:postalCode)"/></Field>
    <Field name="{$prefix}_region"><xsl:value-of select="normalize-space(d:region)"/></Field>
    <Field name="{$prefix}_street"><xsl:value-of select="normalize-space(d:street)"/></Field>
  </xsl:template>

  <!-- ValueAndUnit: the number, else its text; the unit's code, else its text. -->
  <xsl:template name="amount">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_value"><xsl:value-of select="normalize-space((d:value | d:textValue)[normalize-space()][1])"/></Field>
    <Field name="{$prefix}_unit"><xsl:value-of select="normalize-space((d:unit/@value | d:unit[not(normalize-space(@value))])[1])"/></Field>
  </xsl:template>

  <!-- A choice from a list. The list is the coding system, unless the document names another one. -->
  <xsl:template name="listed">
    <xsl:param name="prefix"/>
    <xsl:param name="list"/>
    <Field name="{$prefix}_identifier"><xsl:value-of select="normalize-space(@value)"/></Field>
    <Field name="{$prefix}_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="{$prefix}_system">
      <xsl:choose>
        <xsl:when test="@type"><xsl:value-of select="normalize-space(@type)"/></xsl:when>
        <xsl:when test="normalize-space(@value)"><xsl:value-of select="$list"/></xsl:when>
      </xsl:choose>
    </Field>
  </xsl:template>
</xsl:stylesheet>
